/* cxx_mutex_wrong.cpp - a std::lock_guard without a name.
 *
 * Such an object is temporary: the mutex is locked and at once unlocked again, before the next
 * line.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void add_one() {
    std::lock_guard<std::mutex>{mutex};
    counter++;
}

int main() {
    std::thread thread(add_one);
    add_one();
    thread.join();
    heddle_assert(counter == 2);
    return 0;
}
