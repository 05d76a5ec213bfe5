/* early_unique_lock.cpp - a global object locks a mutex, main unlocks it, and a thread takes it.
 *
 * The lock is main's, so its unlock is right, and what main wrote before is seen by the thread without a race. The
 * thread cannot move before the unlock: main locks (by the global object), creates, unlocks; then the thread locks and
 * unlocks while main stands before the join. One execution.
 *
 * expect: verified
 * executions: 1
 */
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
