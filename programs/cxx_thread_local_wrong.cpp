/* cxx_thread_local_wrong.cpp - a thread_local object adds to a plain total when its thread ends.
 *
 * Each thread has its own object, but all share the total, and the destructors of two threads may
 * run at the same time.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <thread>

static int total;

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
