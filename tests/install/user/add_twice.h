/* add_twice.h - one race of two atomic increments: two executions. */
#include <atomic>
#include <thread>

static int add_twice() {
    std::atomic<int> counter{0};
    std::thread other([&] { counter++; });
    counter++;
    other.join();
    return counter;
}
