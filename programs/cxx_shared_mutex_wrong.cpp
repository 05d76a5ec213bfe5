/* cxx_shared_mutex_wrong.cpp - a cache that is written under a std::shared_lock.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int key = 1, value = 10;

static void replace() {
    std::shared_lock lock(mutex);
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
