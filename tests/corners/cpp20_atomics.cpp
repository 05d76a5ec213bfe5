/* cpp20_atomics.cpp - std::atomic, atomic_ref, wait and notify, atomic_flag, atomic<shared_ptr>. */
#include "corner.h"
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int> x, y, flag;
static int data;

template <typename First, typename Second>
static void together(First first, Second second) {
    std::thread one(first), two(second);
    one.join();
    two.join();
}

/* expect: verified
 * executions: 2
 * Operators of std::atomic are read-modify-writes. */
PROGRAM(atomic_operators) {
    together([] { x += 2; }, [] { x++; });
    assert(x == 3);
    return 0;
}

/* expect: bug assertion
 * x = x + 1 is a load and a store, not a read-modify-write. */
PROGRAM(atomic_assignment) {
    auto body = [] { x = x + 1; };
    together(body, body);
    assert(x == 2);
    return 0;
}

/* expect: verified
 * executions: 1
 * The values that the operations return: fetch_add the old one, ++ the new one. Default
 * construction gives zero since C++20. */
PROGRAM(atomic_object_values) {
    std::atomic<unsigned char> small;
    assert(small == 0 && small.fetch_sub(1) == 0 && small == 255);
    assert(++small == 0 && small-- == 0 && small.exchange(9) == 255);
    unsigned char expected = 3;
    assert(!small.compare_exchange_strong(expected, 4) && expected == 9);
    std::atomic<int *> pointer(&data);
    assert(pointer.fetch_add(1) == &data && pointer == &data + 1);
    static_assert(std::atomic<int>::is_always_lock_free);
    return 0;
}

/* expect: verified
 * fetch_add of a floating-point number is one operation (C++20). */
PROGRAM(atomic_floating_point) {
    static std::atomic<double> real;
    auto body = [] { real.fetch_add(0.5); };
    together(body, body);
    assert(real == 1.0);
    return 0;
}

/* expect: verified
 * executions: 2
 * A release store and an acquire load order the accesses to the data. */
PROGRAM(atomic_message) {
    together(
        [] {
            data = 1;
            flag.store(1, std::memory_order_release);
        },
        [] {
            if (flag.load(std::memory_order_acquire)) {
                assert(data == 1);
            }
        });
    return 0;
}

/* expect: bug data-race
 * The load is relaxed, so it acquires nothing. */
PROGRAM(atomic_message_relaxed) {
    together(
        [] {
            data = 1;
            flag.store(1, std::memory_order_release);
        },
        [] {
            if (flag.load(std::memory_order_relaxed)) {
                assert(data == 1);
            }
        });
    return 0;
}

/* expect: bug data-race
 * options: --release-sequences=c++20
 * In C++20, a later store of the same thread ends the release sequence. A reader of 2 acquires
 * nothing. */
PROGRAM(atomic_release_sequence_of_one_thread) {
    together(
        [] {
            data = 1;
            flag.store(1, std::memory_order_release);
            flag.store(2, std::memory_order_relaxed);
        },
        [] {
            if (flag.load(std::memory_order_acquire) == 2) {
                assert(data == 1);
            }
        });
    return 0;
}

/* expect: verified
 * executions: 2
 * atomic_ref makes accesses to a plain object atomic. */
PROGRAM(atomic_ref_adds) {
    auto body = [] { std::atomic_ref<int>(data)++; };
    together(body, body);
    assert(data == 2);
    return 0;
}

/* expect: bug data-race
 * While an atomic_ref to an object exists, the object must only be used through an atomic_ref. */
PROGRAM(atomic_ref_mixed) {
    together([] { std::atomic_ref<int>(data)++; }, [] { data++; });
    return 0;
}

/* expect: verified
 * executions: 2
 * A release store and an acquire load through atomic_ref order the accesses to the data. */
PROGRAM(atomic_ref_message) {
    static int ready;
    together(
        [] {
            data = 1;
            std::atomic_ref<int>(ready).store(1, std::memory_order_release);
        },
        [] {
            if (std::atomic_ref<int>(ready).load(std::memory_order_acquire)) {
                assert(data == 1);
            }
        });
    return 0;
}

/* expect: verified
 * wait returns when the value has changed, and acquires it. */
PROGRAM(atomic_wait) {
    together([] { flag.wait(0), assert(data == 1); },
             [] {
                 data = 1;
                 flag.store(1);
                 flag.notify_one();
             });
    return 0;
}

/* expect: bug deadlock
 * A store without a notification need not wake a waiter. */
PROGRAM(atomic_wait_without_notify) {
    together([] { flag.wait(0); }, [] { flag.store(1); });
    return 0;
}

/* expect: bug deadlock
 * The notification comes before the store: the waiter sees the old value and goes on waiting. */
PROGRAM(atomic_notify_before_store) {
    together([] { flag.wait(0); },
             [] {
                 flag.notify_all();
                 flag.store(1);
             });
    return 0;
}

/* expect: bug deadlock
 * Two threads wait, and there is one notify_one. */
PROGRAM(atomic_notify_one_for_two) {
    auto body = [] { flag.wait(0); };
    std::thread third(body);
    together(body, [] {
        flag.store(1);
        flag.notify_one();
    });
    third.join();
    return 0;
}

/* expect: verified
 * notify_all wakes both waiters. */
PROGRAM(atomic_notify_all_for_two) {
    auto body = [] { flag.wait(0); };
    std::thread third(body);
    together(body, [] {
        flag.store(1);
        flag.notify_all();
    });
    third.join();
    return 0;
}

/* expect: verified
 * executions: 1
 * wait returns at once if the value already differs. */
PROGRAM(atomic_wait_for_nothing) {
    flag = 1;
    flag.wait(0);
    return 0;
}

static std::atomic_flag lock;

/* expect: verified
 * An atomic_flag is clear at first. It can be tested, waited for and notified (C++20). */
PROGRAM(atomic_flag_waits) {
    together(
        [] {
            lock.wait(false);
            assert(lock.test() && data == 1);
        },
        [] {
            data = 1;
            lock.test_and_set();
            lock.notify_one();
        });
    return 0;
}

/* expect: verified
 * A lock that waits instead of spinning. */
PROGRAM(atomic_flag_as_lock) {
    auto body = [] {
        while (lock.test_and_set(std::memory_order_acquire)) {
            lock.wait(true, std::memory_order_relaxed);
        }
        data++;
        lock.clear(std::memory_order_release);
        lock.notify_one();
    };
    together(body, body);
    assert(data == 2);
    return 0;
}

/* expect: bug deadlock
 * The same lock without a notification: the waiter is never woken. */
PROGRAM(atomic_flag_as_lock_without_notify) {
    auto body = [] {
        while (lock.test_and_set(std::memory_order_acquire)) {
            lock.wait(true, std::memory_order_relaxed);
        }
        lock.clear(std::memory_order_release);
    };
    together(body, body);
    return 0;
}

/* expect: verified
 * Independent reads of independent writes, all seq_cst: both readers see the writes in the same
 * order. */
PROGRAM(atomic_independent_reads) {
    int seen[4];
    std::thread three([&] {
        seen[0] = x;
        seen[1] = y;
    });
    std::thread four([&] {
        seen[2] = y;
        seen[3] = x;
    });
    together([] { x = 1; }, [] { y = 1; });
    three.join();
    four.join();
    assert(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0));
    return 0;
}

struct Pair {
    int first, second;
    bool operator==(const Pair &) const = default;
};

/* expect: verified
 * executions: 2
 * A structure of eight bytes is stored and loaded as one. */
PROGRAM(atomic_object_structure) {
    static std::atomic<Pair> pair;
    together(
        [] {
            pair = Pair{1, 1};
        },
        [] {
            Pair now = pair;
            assert(now.first == now.second);
        });
    return 0;
}

/* expect: bug assertion
 * Two atomic stores are not one operation. */
PROGRAM(atomic_two_for_one) {
    together(
        [] {
            x = 1;
            y = 1;
        },
        [] {
            int first = x, second = y;
            assert(first == second);
        });
    return 0;
}

/* expect: verified
 * A release fence synchronises with an acquire fence. */
PROGRAM(atomic_fences) {
    together(
        [] {
            data = 1;
            std::atomic_thread_fence(std::memory_order_release);
            flag.store(1, std::memory_order_relaxed);
        },
        [] {
            if (flag.load(std::memory_order_relaxed)) {
                std::atomic_thread_fence(std::memory_order_acquire);
                assert(data == 1);
            }
        });
    return 0;
}

/* expect: bug data-race
 * Two threads may store and load one atomic<shared_ptr>, so this program is right. But the
 * libstdc++ of gcc 12 has a bug: load reads the pointer under a lock in the count, and unlocks
 * it with a relaxed store. So nothing orders the read before a later store. */
PROGRAM(atomic_shared_ptr) {
    std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(1));
    together([&] { pointer.store(std::make_shared<int>(2)); },
             [&] {
                 auto seen = pointer.load();
                 assert(*seen == 1 || *seen == 2);
             });
    return 0;
}
