/* cxx_exception_wrong.cpp - an exception leaves a critical section, and the mutex stays locked.
 *
 * expect: bug leaked-lock
 * executions: 4
 *
 * Thread: lock, look, and unlock unless it throws. Main: one store. The store comes at two places
 * before the look, and at two after it. */
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static std::atomic<bool> closed;
static int sold;

static void sell() {
    mutex.lock();
    if (closed)
        throw std::runtime_error("closed");
    sold++;
    mutex.unlock();
}

static void customer() {
    try {
        sell();
    } catch (const std::runtime_error &) {
        /* nothing to do: the shop is closed */
    }
}

int main() {
    std::thread thread(customer);
    closed = true;
    thread.join();
    return 0;
}
