/* cxx_atomic_right.cpp - lost_update_right.c with std::atomic.
 *
 * expect: verified
 * executions: 2
 *
 * One step for each thread: 2!/(1! 1!). */
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

static std::atomic<int> counter;

static void add_one() {
    counter += 1;
}

int main() {
    std::thread thread(add_one);
    add_one();
    thread.join();
    heddle_assert(counter == 2);
    return 0;
}
