/* cxx_atomic_wrong.cpp - lost_update_wrong.c with std::atomic: `x = x + 1` is not `x += 1`.
 *
 * expect: bug assertion
 * executions: 6
 *
 * A load and a store for each thread: 4!/(2! 2!) orders. In two of them no update is lost. */
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

static std::atomic<int> counter;

static void add_one() {
    counter = counter + 1;
}

int main() {
    std::thread thread(add_one);
    add_one();
    thread.join();
    heddle_assert(counter == 2);
    return 0;
}
