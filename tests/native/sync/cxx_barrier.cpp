/* std::barrier with a completion function: it runs once in each round, alone, after all tasks have
 * arrived.
 * expect: verified */
#include <barrier>
#include <heddle/heddle.h>
#include <thread>

static int arrived[2], rounds;

int main() {
    std::barrier barrier(2, []() noexcept {
        heddle_assert(arrived[0] == 1 && arrived[1] == 1);
        rounds++;
    });
    std::thread thread([&] {
        arrived[1] = 1;
        barrier.arrive_and_wait();
        heddle_assert(rounds == 1);
    });
    arrived[0] = 1;
    barrier.arrive_and_wait();
    heddle_assert(rounds == 1);
    thread.join();
    return 0;
}
