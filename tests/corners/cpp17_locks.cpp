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
 * A lock_guard holds the mutex to the end of its scope: two orders. */
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
 * A guard without a name unlocks at the end of its own expression. */
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
 * The lock is released before the write. */
PROGRAM(unique_lock_unlocked_early) {
    together(add_unlocked_early, add_locked);
    return 0;
}

/* expect: verified
 * executions: 1
 * The uses of unique_lock: deferred, try, ownership, release, adopt. */
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
 * Locking a lock that already owns its mutex throws resource_deadlock_would_occur. Unlocking a
 * lock that does not own it throws operation_not_permitted. */
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
 * No thread has locked the mutex. */
PROGRAM(mutex_unlocked_without_lock) {
    a.unlock();
    return 0;
}

/* expect: bug sync-misuse
 * The mutex is destroyed while it is locked. */
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
 * The owner may lock a recursive mutex again. Two threads have two orders. */
PROGRAM(recursive_mutex) {
    together(add_recursively, add_recursively);
    assert(data == 4);
    return 0;
}

/* expect: bug deadlock
 * The threads take two guards in opposite orders. */
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
 * scoped_lock of no mutex and of one mutex. try_lock of several mutexes returns the index of the
 * one that failed. */
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
 * One thread locks both mutexes by scoped_lock, which backs off. The other thread locks only one
 * of them, so no thread waits for ever. */
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
 * The guard unlocks the mutex when an exception leaves its scope. */
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
 * try_lock_for gives up if the mutex is held, and succeeds if it is free. */
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
 * The hour may be over before the other thread unlocks. */
PROGRAM(timed_mutex_may_fail) {
    together(add_in_time, add_in_time);
    assert(data == 2);
    return 0;
}

/* expect: verified
 * Readers of a shared mutex may read together, and a writer writes alone. */
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
 * Both threads write under a shared lock. */
PROGRAM(shared_mutex_written_as_reader) {
    auto body = [] {
        std::shared_lock<std::shared_mutex> lock(shared);
        data++;
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * While a reader holds a shared timed mutex, another reader gets it, and a writer times out. */
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
 * A wait with a predicate. The predicate becomes true before the waiter tests it, so that the
 * notification wakes no thread, or while the waiter waits: 2 executions. */
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
 * Two threads wait, and there is one notify_one. */
PROGRAM(condition_one_for_two) {
    std::thread third(wait_ready);
    together(wait_ready, make_ready);
    third.join();
    return 0;
}

/* expect: verified
 * notify_all wakes both waiters. */
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
 * wait_for with a predicate returns whether the predicate is true. */
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
 * The deadline of wait_until may pass. */
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
 * condition_variable_any waits with any kind of lock, here with a shared one. */
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
