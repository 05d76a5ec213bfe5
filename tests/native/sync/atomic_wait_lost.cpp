/* No task notifies. The waiter sleeps for ever, unless it comes after the store.
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
