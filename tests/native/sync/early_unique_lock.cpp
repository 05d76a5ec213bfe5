/* early_unique_lock.cpp - a global object locks a mutex, main unlocks it, and a thread takes it.
 *
 * Main owns the lock, so its unlock is right, and the thread sees main's write without a race. The
 * thread cannot move before the unlock. Main locks (by the global object), creates and unlocks.
 * Then the thread locks and unlocks while main stands before the join. One execution.
 *
 * expect: verified
 * executions: 1 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::unique_lock<std::mutex> held(mutex);
static int value;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        assert(value == 1);
    });
    value = 1;
    held.unlock();
    thread.join();
    return 0;
}
