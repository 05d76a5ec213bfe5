/* cpp17_locks.cpp - mutexes, locks and condition variables of C++. */
#include "corner.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a, b;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::condition_variable condition;
static std::condition_variable_any any;
static int data;
static bool ready;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

static void add_locked() {
    std::lock_guard<std::mutex> guard(a);
    data++;
}

/* expect: verified
 * executions: 2
 * lock_guard. */
PROGRAM(lock_guard_orders) {
    together(add_locked, add_locked);
    assert(data == 2);
    return 0;
}

static void add_with_a_temporary() {
    std::lock_guard<std::mutex>{a};
    data++;
}

/* expect: bug data-race
 * A guard without a name unlocks at the end of its expression. */
PROGRAM(lock_guard_without_a_name) {
    together(add_with_a_temporary, add_with_a_temporary);
    return 0;
}

static void add_unlocked_early() {
    std::unique_lock<std::mutex> lock(a);
    lock.unlock();
    data++;
}

/* expect: bug data-race
 * Unlocked too early. */
PROGRAM(unique_lock_unlocked_early) {
    together(add_unlocked_early, add_locked);
    return 0;
}

/* expect: verified
 * executions: 1
 * unique_lock: deferred, try, ownership, release, adopt. */
PROGRAM(unique_lock_ways) {
    std::unique_lock<std::mutex> lock(a, std::defer_lock);
    assert(!lock.owns_lock());
    assert(lock.try_lock() && lock.owns_lock());
    std::unique_lock<std::mutex> moved(std::move(lock));
    assert(!lock && moved);
    std::mutex *released = moved.release();
    assert(released == &a && !moved);
    std::lock_guard<std::mutex> adopted(a, std::adopt_lock);
    return 0;
}

/* expect: verified
 * executions: 1
 * Locking what is owned throws resource_deadlock_would_occur, unlocking what is not operation_not_permitted. */
PROGRAM(unique_lock_misused) {
    int caught = 0;
    std::unique_lock<std::mutex> lock(a);
    try {
        lock.lock();
    } catch (const std::system_error &error) {
        caught += error.code() == std::errc::resource_deadlock_would_occur;
    }
    lock.unlock();
    try {
        lock.unlock();
    } catch (const std::system_error &error) {
        caught += error.code() == std::errc::operation_not_permitted;
    }
    assert(caught == 2);
    return 0;
}

/* expect: bug deadlock
 * std::mutex is not recursive. */
PROGRAM(mutex_locked_again) {
    a.lock();
    a.lock();
    return 0;
}

/* expect: bug sync-misuse
 * Nobody has locked it. */
PROGRAM(mutex_unlocked_without_lock) {
    a.unlock();
    return 0;
}

/* expect: bug sync-misuse
 * A mutex that is destroyed while it is locked. */
PROGRAM(mutex_destroyed_locked) {
    {
        std::mutex local;
        local.lock();
        pthread_mutex_destroy(local.native_handle());
    }
    return 0;
}

static void add_recursively() {
    std::lock_guard<std::recursive_mutex> outer(recursive);
    {
        std::lock_guard<std::recursive_mutex> inner(recursive);
        data++;
    }
    data++;
}

/* expect: verified
 * executions: 2
 * A recursive mutex. */
PROGRAM(recursive_mutex) {
    together(add_recursively, add_recursively);
    assert(data == 4);
    return 0;
}

/* expect: bug deadlock
 * Guards in opposite orders. */
PROGRAM(guards_in_opposite_order) {
    together(
        [] {
            std::lock_guard<std::mutex> one(a);
            std::lock_guard<std::mutex> two(b);
        },
        [] {
            std::lock_guard<std::mutex> one(b);
            std::lock_guard<std::mutex> two(a);
        });
    return 0;
}

/* expect: verified
 * executions: 1
 * scoped_lock of none and of one; try_lock of several gives the index of the one that failed. */
PROGRAM(scoped_lock_simple) {
    [[maybe_unused]] std::scoped_lock<> none;
    {
        std::scoped_lock one(a);
        assert(std::try_lock(b, a) == 1);
        assert(b.try_lock());
        b.unlock();
    }
    std::scoped_lock two(a, b);
    return 0;
}

/* expect: verified
 * One locks both by scoped_lock, which backs off; the other only one of them: nobody waits for ever. */
PROGRAM(scoped_lock_against_a_guard) {
    together(
        [] {
            std::scoped_lock both(a, b);
            data++;
        },
        [] {
            std::lock_guard<std::mutex> one(b);
            data++;
        });
    assert(data == 2);
    return 0;
}

/* expect: verified
 * Behind an exception the guard unlocks. */
PROGRAM(guard_and_exception) {
    try {
        std::lock_guard<std::mutex> guard(a);
        throw 1;
    } catch (int) {
    }
    std::lock_guard<std::mutex> guard(a);
    return 0;
}

/* expect: verified
 * A timed mutex that is held: try_lock_for gives up, and only then. */
PROGRAM(timed_mutex) {
    timed.lock();
    std::thread thread([] {
        assert(!timed.try_lock_for(std::chrono::seconds(1)));
        assert(!timed.try_lock_until(std::chrono::steady_clock::now()));
    });
    thread.join();
    timed.unlock();
    assert(timed.try_lock_for(std::chrono::seconds(1)));
    timed.unlock();
    return 0;
}

static void add_in_time() {
    if (timed.try_lock_for(std::chrono::hours(1))) {
        data++;
        timed.unlock();
    }
}

/* expect: bug assertion
 * An hour may be over. */
PROGRAM(timed_mutex_may_fail) {
    together(add_in_time, add_in_time);
    assert(data == 2);
    return 0;
}

/* expect: verified
 * Readers of a shared mutex read together, a writer writes alone. */
PROGRAM(shared_mutex_right) {
    together(
        [] {
            std::shared_lock<std::shared_mutex> lock(shared);
            assert(data == 0 || data == 1);
        },
        [] {
            std::unique_lock<std::shared_mutex> lock(shared);
            data++;
        });
    return 0;
}

/* expect: bug data-race
 * Writing under a shared lock. */
PROGRAM(shared_mutex_written_as_reader) {
    auto body = [] {
        std::shared_lock<std::shared_mutex> lock(shared);
        data++;
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * A shared timed mutex. */
PROGRAM(shared_timed_mutex) {
    shared_timed.lock_shared();
    std::thread thread([] {
        assert(!shared_timed.try_lock_for(std::chrono::seconds(1)));
        assert(shared_timed.try_lock_shared());
        shared_timed.unlock_shared();
    });
    thread.join();
    shared_timed.unlock_shared();
    return 0;
}

static void wait_ready() {
    std::unique_lock<std::mutex> lock(a);
    condition.wait(lock, [] { return ready; });
    data++;
}

static void make_ready() {
    {
        std::lock_guard<std::mutex> guard(a);
        ready = true;
    }
    condition.notify_one();
}

/* expect: verified
 * executions: 2
 * With a predicate: ready before the waiter looks, so that the notification wakes nobody, or while it waits. */
PROGRAM(condition_predicate) {
    together(wait_ready, make_ready);
    assert(data == 1);
    return 0;
}

/* expect: bug deadlock
 * Without a predicate the notification may come before the wait. */
PROGRAM(condition_without_predicate) {
    together(
        [] {
            std::unique_lock<std::mutex> lock(a);
            condition.wait(lock);
        },
        make_ready);
    return 0;
}

/* expect: bug deadlock
 * notify_one for two. */
PROGRAM(condition_one_for_two) {
    std::thread third(wait_ready);
    together(wait_ready, make_ready);
    third.join();
    return 0;
}

/* expect: verified
 * notify_all for two. */
PROGRAM(condition_all_for_two) {
    std::thread third(wait_ready);
    together(wait_ready, [] {
        std::lock_guard<std::mutex> guard(a);
        ready = true;
        condition.notify_all();
    });
    third.join();
    assert(data == 2);
    return 0;
}

/* expect: verified
 * wait_for with a predicate tells whether it is true. */
PROGRAM(condition_wait_for) {
    together(
        [] {
            std::unique_lock<std::mutex> lock(a);
            bool told = condition.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
            assert(told == ready);
        },
        make_ready);
    return 0;
}

/* expect: bug assertion
 * wait_until may come to its end. */
PROGRAM(condition_times_out) {
    together(
        [] {
            std::unique_lock<std::mutex> lock(a);
            auto deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
            assert(condition.wait_until(lock, deadline, [] { return ready; }));
        },
        make_ready);
    return 0;
}

/* expect: verified
 * condition_variable_any waits with any lock: here with a shared one. */
PROGRAM(condition_any) {
    together(
        [] {
            std::shared_lock<std::shared_mutex> lock(shared);
            any.wait(lock, [] { return ready; });
        },
        [] {
            {
                std::unique_lock<std::shared_mutex> lock(shared);
                ready = true;
            }
            any.notify_all();
        });
    return 0;
}

/* expect: bug data-race
 * The flag is set without the mutex. */
PROGRAM(condition_flag_without_mutex) {
    together(wait_ready, [] {
        ready = true;
        condition.notify_one();
    });
    return 0;
}
