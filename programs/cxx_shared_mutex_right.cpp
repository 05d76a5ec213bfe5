/* cxx_shared_mutex_right.cpp - a cache that is read under a std::shared_lock and written under a
 * std::unique_lock.
 *
 * expect: verified
 * executions: 2
 *
 * One critical section each, in either order. */
#include <heddle/heddle.h>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int key = 1, value = 10;

static void replace() {
    std::unique_lock lock(mutex);
    key = 2;
    value = 20;
}

int main() {
    std::thread thread(replace);
    {
        std::shared_lock lock(mutex);
        heddle_assert(value == 10 * key);
    }
    thread.join();
    return 0;
}
