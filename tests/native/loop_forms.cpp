/* loop_forms.cpp - the loops in which ordinary code waits, one at a time: loop_forms FORM */
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

static std::mutex first, second;
static std::condition_variable changed;
static std::atomic<int> flag, ticks;
static int done, cached, payload;
static long rounds;

/* A queue keeps a copy of the other side's index. */
static void fill() {
    payload = 7;
    flag.store(1, std::memory_order_release);
}
static void poll_copy() {
    while (cached == 0)
        cached = flag.load();
    assert(payload == 7);
}

static void finish() {
    std::lock_guard<std::mutex> guard(first);
    done = 1;
    changed.notify_one();
}
static bool locked_look() {
    std::lock_guard<std::mutex> guard(first);
    return done != 0;
}
static void lock_look() {
    while (!locked_look())
        ;
}
static void lock_look_yield() {
    while (!locked_look())
        sched_yield();
}

static void back_off_from(std::mutex &mine, std::mutex &other) {
    for (;;) {
        mine.lock();
        if (other.try_lock())
            break;
        mine.unlock();
        sched_yield();
    }
    done++;
    other.unlock();
    mine.unlock();
}
static void try_forward() {
    back_off_from(first, second);
}
static void try_backward() {
    back_off_from(second, first);
}

static void lock_forward() {
    std::lock(first, second);
    done++;
    first.unlock();
    second.unlock();
}
static void lock_backward() {
    std::lock(second, first);
    done++;
    first.unlock();
    second.unlock();
}

static void scoped_forward() {
    std::scoped_lock both(first, second);
    done++;
}
static void scoped_backward() {
    std::scoped_lock both(second, first);
    done++;
}

static void wait_for() {
    std::unique_lock<std::mutex> lock(first);
    while (!changed.wait_for(lock, 10ms, [] { return done != 0; }))
        ;
}

static void timed_lock() {
    struct timespec soon;
    do {
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_sec++;
    } while (pthread_mutex_timedlock(first.native_handle(), &soon) != 0);
    done++;
    first.unlock();
}

static void raise_flag() {
    flag = 1;
}
static void count_rounds() {
    while (flag == 0)
        rounds++;
}

static void lock_with_pauses() {
    for (long pause = 1; flag.exchange(1) != 0; pause = pause < 1024 ? 2 * pause : 1024)
        for (volatile long spent = 0; spent < pause;)
            spent = spent + 1;
    done++;
    flag = 0;
}

static void tick() {
    while (flag == 0) {
        ticks++;
        usleep(1000);
    }
}

static const struct {
    const char *name;
    void (*main)(), (*other)();
} forms[] = {
    {"copy", poll_copy, fill},
    {"lock-look", lock_look, finish},
    {"lock-look-yield", lock_look_yield, finish},
    {"try-lock", try_forward, try_backward},
    {"std-lock", lock_forward, lock_backward},
    {"scoped-lock", scoped_forward, scoped_backward},
    {"wait-for", wait_for, finish},
    {"timed-lock", timed_lock, timed_lock},
    {"counter", count_rounds, raise_flag},
    {"pauses", lock_with_pauses, lock_with_pauses},
    {"ticks", raise_flag, tick},
};

int main(int argc, char **argv) {
    for (const auto &form : forms)
        if (argc > 1 && strcmp(argv[1], form.name) == 0) {
            std::thread other(form.other);
            form.main();
            other.join();
            return 0;
        }
    return 2;
}
