/* map_right.cpp - std::map: one thread inserts and erases while another one searches, both under a
 * mutex. The 2 critical sections have 2 orders.
 * expect: verified */
#include <map>
#include <mutex>
#include <thread>

int main() {
    std::map<int, int> map = {{1, 1}, {5, 5}};
    std::mutex mutex;
    std::thread other([&] {
        std::lock_guard<std::mutex> guard(mutex);
        map.emplace(3, 3);
        map.erase(1);
    });
    {
        std::lock_guard<std::mutex> guard(mutex);
        if (map.find(5) == map.end())
            return 1;
    }
    other.join();
    return map.begin()->first == 3 && map.size() == 2 ? 0 : 1;
}
