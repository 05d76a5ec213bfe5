/* std::atomic::wait and notify: no wake-up is lost, and the writes before the notification are
 * seen.
 * expect: verified */
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

static std::atomic<int> state;
static int data;

int main() {
    std::thread thread([] {
        data = 42;
        state.store(1, std::memory_order_release);
        state.notify_one();
    });
    state.wait(0, std::memory_order_acquire);
    heddle_assert(data == 42);
    thread.join();
    return 0;
}
