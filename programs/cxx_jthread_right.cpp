/* cxx_jthread_right.cpp - a std::jthread that sleeps on a condition variable is asked to stop, and
 * woken.
 *
 * The request is made under the mutex, so it cannot come between the thread's test and its sleep.
 *
 * expect: verified */
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable wake_up;

static void worker(std::stop_token token) {
    std::unique_lock lock(mutex);
    while (!token.stop_requested())
        wake_up.wait(lock);
}

int main() {
    std::jthread thread(worker);
    {
        std::lock_guard guard(mutex);
        thread.request_stop();
    }
    wake_up.notify_one();
    return 0;
}
