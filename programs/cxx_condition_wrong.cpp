/* cxx_condition_wrong.cpp - missed_signal_wrong.c with std::condition_variable.
 *
 * expect: bug deadlock
 * executions: 3
 *
 * The notification comes before the lock, between lock and sleep, or after the sleep. Only in the
 * last case does it wake the thread. */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable event;

static void waiter() {
    std::unique_lock<std::mutex> lock(mutex);
    event.wait(lock);
}

int main() {
    std::thread thread(waiter);
    event.notify_one();
    thread.join();
    return 0;
}
