/* thread_exit_wrong.cpp - set_value_at_thread_exit orders what comes before the end of the thread.
 * But the main thread reads before it waits, and nothing orders this read.
 * expect: bug data-race */
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    int number = 0;
    std::thread setter([&] {
        promise.set_value_at_thread_exit(3);
        number = 1;
    });
    bool early = number == 0;
    future.get();
    setter.join();
    return early ? 0 : 2;
}
