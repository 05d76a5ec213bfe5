/* Nobody notifies: the waiter sleeps for ever, unless it comes late.
 * expect: bug deadlock */
#include <atomic>
#include <thread>

static std::atomic<int> state;

int main() {
    std::thread thread([] { state = 1; });
    state.wait(0);
    thread.join();
    return 0;
}
