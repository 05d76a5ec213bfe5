/* cxx_jthread_wrong.cpp - a std::jthread that sleeps on a condition variable is asked to stop.
 *
 * Its destructor requests the stop and joins, but a std::condition_variable knows nothing of stop
 * tokens: nobody wakes the sleeper.
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
