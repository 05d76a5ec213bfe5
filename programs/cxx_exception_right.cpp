/* cxx_exception_right.cpp - an exception leaves a critical section, and std::lock_guard unlocks.
 *
 * expect: verified
 * executions: 4
 *
 * Thread: lock, look, unlock. Main: one store. 4!/(3! 1!). */
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static std::atomic<bool> closed;
static int sold;

static void sell() {
    std::lock_guard guard(mutex);
    if (closed)
        throw std::runtime_error("closed");
    sold++;
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
