/* library_waits.cpp - threads that wait by the C++ library: library_waits HOW THREADS */
#include <atomic>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

static std::atomic<int> flag;

static void wait_for_flag(int threads) {
    std::vector<std::thread> waiters;
    for (int i = 0; i < threads; i++)
        waiters.emplace_back([] { flag.wait(0); });
    flag.store(1);
    flag.notify_all();
    for (std::thread &waiter : waiters)
        waiter.join();
}

static void meet(int threads, auto &place) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; i++)
        others.emplace_back([&place] { place.arrive_and_wait(); });
    place.arrive_and_wait();
    for (std::thread &other : others)
        other.join();
}

static void acquire_one() {
    std::counting_semaphore<2> semaphore(0);
    std::thread other([&semaphore] { semaphore.acquire(); });
    semaphore.release();
    other.join();
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int threads = atoi(argv[2]);
    std::barrier barrier(threads);
    std::latch latch(threads);
    if (strcmp(argv[1], "flag") == 0)
        wait_for_flag(threads);
    else if (strcmp(argv[1], "barrier") == 0)
        meet(threads, barrier);
    else if (strcmp(argv[1], "latch") == 0)
        meet(threads, latch);
    else
        acquire_one();
}
