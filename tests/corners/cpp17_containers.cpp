/* cpp17_containers.cpp - containers and streams shared by threads ([res.on.data.races], [container.requirements.dataraces]). */
#include "corner.h"
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

static std::mutex mutex;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

/* expect: verified
 * executions: 1
 * Two threads may change different elements of one vector at the same time. */
PROGRAM(vector_elements) {
    std::vector<int> vector(2);
    together([&] { vector[0] = 1; }, [&] { vector[1] = 2; });
    assert(vector[0] == 1 && vector[1] == 2);
    return 0;
}

/* expect: bug data-race
 * The elements of std::vector<bool> share a word, so even different elements race. */
PROGRAM(vector_of_bool) {
    std::vector<bool> vector(2);
    together([&] { vector[0] = true; }, [&] { vector[1] = true; });
    return 0;
}

/* expect: bug data-race
 * push_back changes the container itself. */
PROGRAM(vector_push_back) {
    std::vector<int> vector;
    together([&] { vector.push_back(1); }, [&] { vector.push_back(2); });
    return 0;
}

/* expect: verified
 * executions: 2
 * The mutex orders the two calls of push_back: two orders. */
PROGRAM(vector_push_back_locked) {
    std::vector<int> vector;
    auto body = [&] {
        std::lock_guard<std::mutex> guard(mutex);
        vector.push_back(1);
    };
    together(body, body);
    assert(vector.size() == 2);
    return 0;
}

/* expect: bug heap-misuse
 * push_back may make an iterator invalid: in one order of the locked sections, the iterator
 * points to freed memory. */
PROGRAM(vector_invalid_iterator) {
    std::vector<int> vector(1);
    auto first = vector.begin();
    together(
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            vector.push_back(1);
        },
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            *first = 3;
        });
    return 0;
}

/* expect: bug data-race
 * size() reads what push_back writes. */
PROGRAM(vector_size) {
    std::vector<int> vector;
    vector.reserve(4);
    together([&] { vector.push_back(1); }, [&] { assert(vector.size() < 2); });
    return 0;
}

/* expect: verified
 * executions: 1
 * begin, end, front, size and [] of a vector count as const, so both threads only read. */
PROGRAM(vector_readers) {
    std::vector<int> vector(4, 1);
    auto body = [&] { assert(std::accumulate(vector.begin(), vector.end(), 0) == 4); };
    together(body, body);
    return 0;
}

/* expect: bug data-race
 * insert and find of a map race: 2 is inserted to the right of 1, where find looks for 3. */
PROGRAM(map_insert_and_find) {
    std::map<int, int> map{{1, 1}};
    together([&] { map.emplace(2, 2); }, [&] { assert(map.find(3) == map.end()); });
    return 0;
}

/* expect: verified
 * executions: 1
 * Two threads may change the values of different keys of a map. */
PROGRAM(map_values) {
    std::map<int, int> map{{1, 1}, {2, 2}};
    together([&] { map.find(1)->second = 3; }, [&] { map.find(2)->second = 4; });
    assert(map[1] == 3 && map[2] == 4);
    return 0;
}

/* expect: bug data-race
 * map[] may insert, which writes the size. Two insertions race. */
PROGRAM(map_two_inserts) {
    std::map<int, int> map;
    together([&] { map[1] = 1; }, [&] { map[2] = 2; });
    return 0;
}

/* expect: bug data-race
 * insert and find of an unordered map race. */
PROGRAM(unordered_map_insert_and_find) {
    std::unordered_map<int, int> map{{1, 1}};
    together([&] { map.emplace(2, 2); }, [&] { assert(map.find(1) != map.end()); });
    return 0;
}

/* expect: bug data-race
 * Two calls of push_back of a list race. */
PROGRAM(list_push_back) {
    std::list<int> list;
    together([&] { list.push_back(1); }, [&] { list.push_back(2); });
    return 0;
}

/* expect: bug data-race
 * push and empty of a queue race. (push and pop of libstdc++ touch different ends.) */
PROGRAM(queue_push_and_empty) {
    std::queue<int> queue;
    queue.push(1);
    together([&] { queue.push(2); }, [&] { assert(!queue.empty()); });
    return 0;
}

/* expect: verified
 * A queue under a mutex. A consumer that comes too early finds it empty. */
PROGRAM(queue_locked) {
    std::queue<int> queue;
    together(
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            queue.push(2);
        },
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            if (!queue.empty()) {
                assert(queue.front() == 2);
                queue.pop();
            }
        });
    return 0;
}

/* expect: bug data-race
 * One thread writes to a string while the other reads it. */
PROGRAM(string_assigned) {
    std::string text("one");
    together([&] { text[0] = 't'; }, [&] { assert(text.size() == 3 && text[0] != 'x'); });
    return 0;
}

/* expect: verified
 * executions: 1
 * Copies of a string share nothing ([basic.string] since C++11). */
PROGRAM(string_copies) {
    std::string text(100, 'a'), copy(text);
    together([&] { text[0] = 'b'; }, [&] { assert(copy[0] == 'a'); });
    return 0;
}

/* expect: bug data-race
 * One thread sets an optional while the other reads it. */
PROGRAM(optional_race) {
    std::optional<int> optional;
    together([&] { optional = 1; }, [&] { assert(!optional || *optional == 1); });
    return 0;
}

/* expect: bug data-race
 * The assignment changes the index of the variant while the other thread reads it. */
PROGRAM(variant_race) {
    std::variant<int, double> variant;
    together([&] { variant = 1.0; }, [&] { assert(variant.index() < 2); });
    return 0;
}

/* expect: bug data-race
 * One thread assigns a std::function while the other calls it. */
PROGRAM(function_race) {
    std::function<int()> function = [] { return 1; };
    together([&] { function = [] { return 2; }; }, [&] { assert(function() > 0); });
    return 0;
}

/* expect: verified
 * executions: 1
 * Two threads sort the two halves of an array. */
PROGRAM(sort_halves) {
    std::array<int, 8> array{8, 7, 6, 5, 4, 3, 2, 1};
    together([&] { std::sort(array.begin(), array.begin() + 4); },
             [&] { std::sort(array.begin() + 4, array.end()); });
    std::inplace_merge(array.begin(), array.begin() + 4, array.end());
    assert(std::is_sorted(array.begin(), array.end()));
    return 0;
}

/* expect: bug data-race
 * The two halves overlap by one element. */
PROGRAM(sort_overlapping) {
    std::array<int, 8> array{8, 7, 6, 5, 4, 3, 2, 1};
    together([&] { std::sort(array.begin(), array.begin() + 5); },
             [&] { std::sort(array.begin() + 4, array.end()); });
    return array[0] == 9;
}

/* expect: bug heap-misuse
 * In one order of the locked sections, the thread uses a reference to an element that was
 * popped. */
PROGRAM(deque_popped) {
    std::deque<std::string> deque{std::string(40, 'a')};
    std::string &front = deque.front();
    together(
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            deque.pop_front();
        },
        [&] {
            std::lock_guard<std::mutex> guard(mutex);
            const char *letters = front.data();
            assert(letters[0] == 'a');
        });
    return 0;
}

/* expect: verified
 * executions: 1
 * Each thread has its own string stream. */
PROGRAM(stream_of_ones_own) {
    auto body = [] {
        std::ostringstream stream;
        stream << 1 << ' ' << "two";
        assert(stream.str() == "1 two");
    };
    together(body, body);
    return 0;
}
