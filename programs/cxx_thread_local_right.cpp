/* cxx_thread_local_right.cpp - a thread_local object adds to an atomic total when its thread ends.
 *
 * expect: verified
 * executions: 5
 *
 * Each thread has one step, in the destructor. The first thread's step and its join, and the second
 * thread's create and its step, come in any order, except that the join cannot come before the
 * create: 4!/(2! 2!) - 1. */
#include <atomic>
#include <heddle/heddle.h>
#include <thread>

static std::atomic<int> total;

struct tally {
    int count = 0;
    ~tally() {
        total += count;
    }
};

static thread_local tally mine;

static void worker() {
    mine.count += 2;
}

int main() {
    std::thread first(worker), second(worker);
    first.join();
    second.join();
    heddle_assert(total == 4);
    return 0;
}
