/* std::counting_semaphore and std::latch of the C++ library, which use futexes.
 * expect: verified */
#include <heddle/heddle.h>
#include <latch>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::latch ready(1);
static int first, second;

int main() {
    std::thread thread([] {
        first = 1;
        items.release();
        ready.wait();
        heddle_assert(second == 2);
    });
    items.acquire();
    heddle_assert(first == 1);
    second = 2;
    ready.count_down();
    thread.join();
    return 0;
}
