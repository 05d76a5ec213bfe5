/* cxx_mutex_right.cpp - a counter behind a std::mutex and a std::lock_guard.
 *
 * expect: verified
 * executions: 2
 *
 * One critical section each, in either order. */
#include <heddle/heddle.h>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void add_one() {
    std::lock_guard<std::mutex> guard{mutex};
    counter++;
}

int main() {
    std::thread thread(add_one);
    add_one();
    thread.join();
    heddle_assert(counter == 2);
    return 0;
}
