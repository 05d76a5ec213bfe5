/* add_twice.h - two atomic increments that race: two executions. */
#include <atomic>
#include <thread>

static int add_twice() {
    std::atomic<int> counter{0};
    std::thread other([&] { counter++; });
    counter++;
    other.join();
    return counter;
}
