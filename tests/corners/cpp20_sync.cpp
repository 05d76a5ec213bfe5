/* cpp20_sync.cpp - latches, barriers, semaphores, jthread and stop tokens. */
#include "corner.h"
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>

static int data, other;
static std::atomic<int> count;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

/* expect: verified
 * count_down synchronises with the wait that it ends. */
PROGRAM(latch_orders) {
    std::latch latch(1);
    together([&] { data = 1, latch.count_down(); }, [&] { latch.wait(), assert(data == 1); });
    return 0;
}

/* expect: bug data-race
 * The latch is counted down before the data is written. */
PROGRAM(latch_too_early) {
    std::latch latch(1);
    together([&] { latch.count_down(), data = 1; }, [&] { latch.wait(), assert(data == 1); });
    return 0;
}

/* expect: bug deadlock
 * The latch needs two counts, and gets one. */
PROGRAM(latch_one_is_missing) {
    std::latch latch(2);
    together([&] { latch.count_down(); }, [&] { latch.wait(); });
    return 0;
}

/* expect: verified
 * Both threads call arrive_and_wait, which orders them like a barrier. */
PROGRAM(latch_arrive_and_wait) {
    std::latch latch(2);
    together([&] { data = 1, latch.arrive_and_wait(), assert(other == 1); },
             [&] { other = 1, latch.arrive_and_wait(), assert(data == 1); });
    return 0;
}

/* expect: verified
 * executions: 1
 * count_down may take several counts at once. try_wait of an open latch succeeds. */
PROGRAM(latch_values) {
    std::latch latch(3);
    latch.count_down(2);
    latch.count_down();
    assert(latch.try_wait());
    latch.wait();
    return 0;
}

/* expect: verified
 * What each thread did before the barrier is visible to both after it. */
PROGRAM(barrier_orders) {
    std::barrier barrier(2);
    together([&] { data = 1, barrier.arrive_and_wait(), assert(other == 1); },
             [&] { other = 1, barrier.arrive_and_wait(), assert(data == 1); });
    return 0;
}

/* expect: bug deadlock
 * One thread comes twice, the other once. */
PROGRAM(barrier_unequal) {
    std::barrier barrier(2);
    together([&] { barrier.arrive_and_wait(), barrier.arrive_and_wait(); },
             [&] { barrier.arrive_and_wait(); });
    return 0;
}

/* expect: verified
 * The next phase does not wait for a thread that has dropped out. */
PROGRAM(barrier_drop) {
    std::barrier barrier(2);
    together([&] { barrier.arrive_and_wait(), barrier.arrive_and_wait(); },
             [&] { barrier.arrive_and_drop(); });
    return 0;
}

/* expect: verified
 * The completion function runs once in each phase, after all arrivals and before any thread goes
 * on. */
PROGRAM(barrier_completion) {
    auto complete = []() noexcept { data++; };
    std::barrier barrier(2, complete);
    auto body = [&] {
        barrier.arrive_and_wait();
        assert(data == 1);
    };
    together(body, body);
    return 0;
}

/* expect: bug data-race
 * After the barrier, nothing orders the two threads. */
PROGRAM(barrier_race_behind) {
    std::barrier barrier(2);
    auto body = [&] { barrier.arrive_and_wait(), data++; };
    together(body, body);
    return 0;
}

/* expect: bug deadlock
 * A binary semaphore as a lock is right. But the libstdc++ of gcc 12 has a bug (104928): acquire
 * reads 1, and its compare-exchange fails because another thread was first. That thread releases
 * and notifies no waiter. Then acquire sleeps in the kernel on the value 1. */
PROGRAM(semaphore_as_lock) {
    std::binary_semaphore semaphore(1);
    auto body = [&] { semaphore.acquire(), data++, semaphore.release(); };
    together(body, body);
    return 0;
}

/* expect: bug data-race
 * With two permits, both threads may be inside at once. */
PROGRAM(semaphore_two_permits) {
    std::counting_semaphore<2> semaphore(2);
    auto body = [&] { semaphore.acquire(), data++, semaphore.release(); };
    together(body, body);
    return 0;
}

/* expect: verified
 * release synchronises with the acquire that it allows, in any thread. */
PROGRAM(semaphore_hands_over) {
    std::binary_semaphore semaphore(0);
    together([&] { data = 1, semaphore.release(); },
             [&] { semaphore.acquire(), assert(data == 1); });
    return 0;
}

/* expect: bug deadlock
 * No thread releases the semaphore. */
PROGRAM(semaphore_never_released) {
    std::counting_semaphore<4> semaphore(1);
    together([&] { semaphore.acquire(); }, [&] { semaphore.acquire(); });
    return 0;
}

/* expect: verified
 * executions: 1
 * try_acquire does not wait. A release of several permits allows several acquires. */
PROGRAM(semaphore_values) {
    std::counting_semaphore<4> semaphore(0);
    assert(!semaphore.try_acquire());
    semaphore.release(2);
    assert(semaphore.try_acquire() && semaphore.try_acquire() && !semaphore.try_acquire());
    static_assert(std::counting_semaphore<4>::max() >= 4);
    return 0;
}

/* expect: verified
 * executions: 1
 * The destructor of a jthread joins. */
PROGRAM(jthread_joins) {
    {
        std::jthread thread([] { data = 1; });
    }
    assert(data == 1);
    return 0;
}

/* expect: bug data-race
 * Before the destructor joins, nothing orders the two threads. */
PROGRAM(jthread_race) {
    std::jthread thread([] { data = 1; });
    data = 2;
    return 0;
}

/* expect: verified
 * The destructor requests a stop before it joins. So a loop that tests its token ends. */
PROGRAM(jthread_stops) {
    std::jthread thread([](std::stop_token token) {
        while (!token.stop_requested()) {
        }
    });
    return 0;
}

/* expect: bug livelock
 * The loop tests the token of another stop source, so the stop request does not end it. */
PROGRAM(jthread_with_the_wrong_token) {
    std::stop_source source;
    std::jthread thread([token = source.get_token()] {
        while (!token.stop_requested()) {
        }
    });
    return 0;
}

/* expect: verified
 * The stop request ends a wait with a stop token. */
PROGRAM(stop_ends_a_wait) {
    std::mutex mutex;
    std::condition_variable_any condition;
    std::jthread thread([&](std::stop_token token) {
        std::unique_lock<std::mutex> lock(mutex);
        assert(!condition.wait(lock, token, [] { return false; }));
    });
    thread.request_stop();
    thread.join();
    return 0;
}

/* expect: bug deadlock
 * The stop request does not end a wait without the token. */
PROGRAM(stop_does_not_end_a_plain_wait) {
    std::mutex mutex;
    std::condition_variable_any condition;
    std::jthread thread([&](std::stop_token) {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return false; });
    });
    return 0;
}

/* expect: verified
 * Exactly one of two requests returns true. */
PROGRAM(stop_one_winner) {
    std::stop_source source;
    auto body = [&] { count += source.request_stop(); };
    together(body, body);
    assert(count == 1 && source.stop_requested());
    return 0;
}

/* expect: verified
 * executions: 1
 * A callback runs in the thread that requests the stop, or at once if the stop was requested
 * before. A callback that was destroyed does not run. */
PROGRAM(stop_callbacks) {
    std::stop_source source;
    int calls = 0;
    {
        std::stop_callback gone(source.get_token(), [&] { calls += 100; });
    }
    std::stop_callback first(source.get_token(), [&] { calls++; });
    assert(source.request_stop() && calls == 1);
    std::stop_callback late(source.get_token(), [&] { calls++; });
    assert(calls == 2 && !source.request_stop());
    return 0;
}

/* expect: verified
 * The destructor of a callback waits until the callback has returned in the other thread. */
PROGRAM(stop_callback_waits_for_its_end) {
    std::stop_source source;
    auto block = std::make_unique<int>(0);
    std::thread thread([&] { source.request_stop(); });
    {
        std::stop_callback callback(source.get_token(), [&] { *block = 1; });
    }
    block.reset();
    thread.join();
    return 0;
}

/* expect: bug data-race
 * The callback runs in the other thread, without any lock. */
PROGRAM(stop_callback_races) {
    std::stop_source source;
    std::stop_callback callback(source.get_token(), [] { data++; });
    std::thread thread([&] { source.request_stop(); });
    data++;
    thread.join();
    return 0;
}
