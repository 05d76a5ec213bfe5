/* Timed waits of C++ read the clock afterwards, and must find the deadline reached.
 * expect: verified */
#include <chrono>
#include <condition_variable>
#include <heddle/heddle.h>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex lock;
static std::shared_timed_mutex shared;
static std::mutex mutex;
static std::condition_variable changed;
static bool done;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
        changed.notify_one();
    });
    {
        auto begin = std::chrono::steady_clock::now();
        std::unique_lock<std::mutex> guard(mutex);
        bool seen = changed.wait_for(guard, 10s, [] { return done; });
        heddle_assert(seen == done);
        heddle_assert(seen || std::chrono::steady_clock::now() - begin >= 10s);
    }
    thread.join();
    lock.lock();
    std::thread other([] {
        heddle_assert(!lock.try_lock_for(1s));
        heddle_assert(!lock.try_lock_until(std::chrono::system_clock::now() + 1s));
        heddle_assert(shared.try_lock_shared_for(1s));
        shared.unlock_shared();
    });
    other.join();
    lock.unlock();
    return 0;
}
