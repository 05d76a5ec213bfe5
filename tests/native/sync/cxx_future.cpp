/* std::promise and std::async: the library waits by a futex, which the tool sees through the
 * library's own code.
 * expect: verified
 * options: --strategy=persistent */
#include <chrono>
#include <future>
#include <heddle/heddle.h>
#include <thread>

static int data;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
        data = 1;
        promise.set_value(42);
    });
    if (future.wait_for(std::chrono::seconds(1)) == std::future_status::ready)
        heddle_assert(data == 1);
    heddle_assert(future.get() == 42 && data == 1);
    thread.join();
    auto later = std::async(std::launch::async, [] { return ++data; });
    heddle_assert(later.get() == 2);
    return 0;
}
