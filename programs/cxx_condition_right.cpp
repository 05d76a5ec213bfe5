/* cxx_condition_right.cpp - missed_signal_right.c with std::condition_variable and a predicate.
 *
 * expect: verified
 * executions: 2
 *
 * If main comes first, the thread need not sleep. If the thread comes first, it sleeps, main does
 * all its steps, and the thread wakes up. */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable event;
static bool ready;

static void waiter() {
    std::unique_lock<std::mutex> lock(mutex);
    event.wait(lock, [] { return ready; });
}

int main() {
    std::thread thread(waiter);
    {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        event.notify_one();
    }
    thread.join();
    return 0;
}
