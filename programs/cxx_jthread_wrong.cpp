/* cxx_jthread_wrong.cpp - a std::jthread that sleeps on a condition variable is asked to stop.
 *
 * The destructor of the std::jthread requests the stop and joins. But a std::condition_variable
 * does not react to stop tokens, so the thread is not woken.
 *
 * expect: bug deadlock */
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
    return 0;
}
