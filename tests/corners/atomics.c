/* atomics.c - <stdatomic.h>: operations, memory orders, and what they order. */
#include "corner.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int x, y, flag, results;
static int data, seen_one, seen_two;

THREAD(increment) {
    atomic_fetch_add(&x, 1);
    return NULL;
}

/* expect: verified
 * executions: 2
 * An atomic increment loses nothing. The two orders differ in the values that the increments
 * return. */
PROGRAM(atomic_increments) {
    both(increment, increment);
    assert(x == 2);
    return 0;
}

THREAD(load_then_store) {
    atomic_store(&x, atomic_load(&x) + 1);
    return NULL;
}

/* expect: bug assertion
 * A load and a store are two operations, so the other thread may come between them. */
PROGRAM(atomic_lost_update) {
    both(load_then_store, load_then_store);
    assert(x == 2);
    return 0;
}

THREAD(compound_assignment) {
    x += 1;
    x++;
    return NULL;
}

/* expect: verified
 * += and ++ of an _Atomic object are read-modify-writes (C11 6.5.16.2). */
PROGRAM(atomic_compound_assignment) {
    both(compound_assignment, compound_assignment);
    assert(x == 4);
    return 0;
}

THREAD(plain_sum) {
    x = x + 1;
    return NULL;
}

/* expect: bug assertion
 * x = x + 1 is a load and a store. */
PROGRAM(atomic_plain_sum) {
    both(plain_sum, plain_sum);
    assert(x == 2);
    return 0;
}

THREAD(publish) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

THREAD(consume_by_acquire) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: verified
 * executions: 2
 * If an acquire load reads a release store, everything before the store happens before
 * everything after the load. */
PROGRAM(atomic_release_acquire) {
    both(publish, consume_by_acquire);
    return 0;
}

THREAD(consume_by_relaxed) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: bug data-race
 * A relaxed load acquires nothing. */
PROGRAM(atomic_relaxed_load) {
    both(publish, consume_by_relaxed);
    return 0;
}

THREAD(publish_by_relaxed) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * A relaxed store releases nothing. */
PROGRAM(atomic_relaxed_store) {
    both(publish_by_relaxed, consume_by_acquire);
    return 0;
}

THREAD(publish_early) {
    atomic_store(&flag, 1);
    data = 42;
    return NULL;
}

/* expect: bug data-race
 * The data is written after the flag is set. */
PROGRAM(atomic_flag_too_early) {
    both(publish_early, consume_by_acquire);
    return 0;
}

THREAD(relay) {
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    return NULL;
}

THREAD(consume_two) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: verified
 * A relaxed read-modify-write of another thread continues the release sequence (C11 5.1.2.4). */
PROGRAM(atomic_release_sequence) {
    pthread_t third = spawn(relay, NULL);
    both(publish, consume_two);
    join(third);
    return 0;
}

THREAD(overwrite_by_relaxed) {
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * A store of another thread ends the release sequence. A reader of 2 is not ordered after the
 * write of the data. */
PROGRAM(atomic_release_sequence_ended) {
    pthread_t third = spawn(overwrite_by_relaxed, NULL);
    both(publish, consume_two);
    join(third);
    return 0;
}

THREAD(publish_by_exchange) {
    data = 42;
    atomic_exchange_explicit(&flag, 1, memory_order_release);
    return NULL;
}

THREAD(consume_by_exchange) {
    if (atomic_exchange_explicit(&flag, 3, memory_order_acquire) == 1) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: verified
 * executions: 2
 * Exchanges release and acquire too. */
PROGRAM(atomic_exchange_orders) {
    both(publish_by_exchange, consume_by_exchange);
    return 0;
}

THREAD(fail_with_acquire) {
    int expected = 5;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 6, memory_order_acq_rel,
                                                 memory_order_acquire) &&
        expected == 1) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: verified
 * executions: 2
 * A compare-exchange that fails is a load with its failure order. */
PROGRAM(atomic_failed_exchange_acquires) {
    both(publish, fail_with_acquire);
    return 0;
}

THREAD(fail_with_relaxed) {
    int expected = 5;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 6, memory_order_acq_rel,
                                                 memory_order_relaxed) &&
        expected == 1) {
        assert(data == 42);
    }
    return NULL;
}

/* expect: bug data-race
 * A compare-exchange that fails with a relaxed failure order acquires nothing. */
PROGRAM(atomic_failed_exchange_relaxed) {
    both(publish, fail_with_relaxed);
    return 0;
}

THREAD(store_x_load_y) {
    atomic_store(&x, 1);
    seen_one = atomic_load(&y);
    return NULL;
}

THREAD(store_y_load_x) {
    atomic_store(&y, 1);
    seen_two = atomic_load(&x);
    return NULL;
}

/* expect: verified
 * executions: 3
 * Store buffering with seq_cst: at least one thread sees the other's store. There are 2 * 2
 * combinations of the orders at x and at y, and one of them is a cycle: 3 executions. */
PROGRAM(atomic_store_buffering) {
    both(store_x_load_y, store_y_load_x);
    assert(seen_one == 1 || seen_two == 1);
    return 0;
}

/* expect: bug assertion
 * Both threads may see the other's store. */
PROGRAM(atomic_store_buffering_both) {
    both(store_x_load_y, store_y_load_x);
    assert(seen_one == 0 || seen_two == 0);
    return 0;
}

THREAD(set_bit_one) {
    atomic_fetch_or(&x, 1);
    return NULL;
}

THREAD(clear_all_but_two) {
    atomic_fetch_and(&x, 2);
    return NULL;
}

/* expect: verified
 * executions: 2
 * If the `or` comes first, x is 1, and the `and` with 2 makes it 0. If the `and` comes first, x
 * ends as 1. */
PROGRAM(atomic_and_or) {
    both(set_bit_one, clear_all_but_two);
    assert(x == 0 || x == 1);
    return 0;
}

/* expect: verified
 * executions: 1
 * The values that the operations return. Unsigned operations wrap around, and signed ones do so
 * too (C11 7.17.7.5). */
PROGRAM(atomic_values) {
    atomic_uchar small = 255;
    _Atomic int64_t large = INT64_MAX;
    atomic_bool truth = false;
    assert(atomic_fetch_add(&small, 1) == 255 && small == 0);
    assert(atomic_fetch_sub(&small, 1) == 0 && small == 255);
    assert(atomic_fetch_xor(&small, 15) == 255 && small == 240);
    atomic_fetch_add(&large, 1);
    assert(large == INT64_MIN);
    assert(!atomic_exchange(&truth, true) && truth);
    return 0;
}

/* expect: verified
 * executions: 1
 * Atomic pointers: an exchange, and a compare-exchange that fails and returns what it found.
 * Arithmetic is left out: gcc's atomic_fetch_add counts bytes (its bug 64843), and clang 14 has
 * no += for atomic pointers. */
PROGRAM(atomic_pointers) {
    static int array[4];
    _Atomic(int *) pointer = array;
    int *expected = array + 1;
    assert(!atomic_compare_exchange_strong(&pointer, &expected, array + 2) && expected == array);
    assert(atomic_compare_exchange_strong(&pointer, &expected, array + 2));
    assert(atomic_exchange(&pointer, NULL) == array + 2);
    return 0;
}

static _Atomic double real;

THREAD(add_to_real) {
    real += 0.5;
    return NULL;
}

/* expect: verified
 * += of an atomic double is a loop of compare-exchanges, and loses nothing. */
PROGRAM(atomic_double) {
    both(add_to_real, add_to_real);
    assert(real == 1.0);
    return 0;
}

struct pair {
    int32_t first, second;
};
static _Atomic struct pair pair;

THREAD(store_pair) {
    struct pair both = {1, 1};
    atomic_store(&pair, both);
    return NULL;
}

THREAD(load_pair) {
    struct pair now = atomic_load(&pair);
    assert(now.first == now.second);
    return NULL;
}

/* expect: verified
 * executions: 2
 * A structure of 8 bytes is stored and loaded as one. */
PROGRAM(atomic_structure) {
    both(store_pair, load_pair);
    return 0;
}

static atomic_flag lock = ATOMIC_FLAG_INIT;

THREAD(spin_and_add) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
    data++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return NULL;
}

/* expect: verified
 * A spin lock made of an atomic_flag. */
PROGRAM(atomic_flag_lock) {
    both(spin_and_add, spin_and_add);
    assert(data == 2);
    return 0;
}

THREAD(spin_and_add_clear_relaxed) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
    data++;
    atomic_flag_clear_explicit(&lock, memory_order_relaxed);
    return NULL;
}

/* expect: bug data-race
 * The lock is cleared with a relaxed store. So the next owner is not ordered after the writes
 * under the lock. */
PROGRAM(atomic_flag_lock_cleared_relaxed) {
    both(spin_and_add_clear_relaxed, spin_and_add_clear_relaxed);
    return 0;
}

THREAD(keep_the_lock) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    return NULL;
}

/* expect: bug livelock
 * The flag is never cleared, so the second thread spins for ever. */
PROGRAM(atomic_flag_lock_kept) {
    both(keep_the_lock, keep_the_lock);
    return 0;
}

static int plain;

THREAD(builtin_add) {
    __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

THREAD(plain_read) {
    assert(plain >= 0);
    return NULL;
}

/* expect: bug data-race
 * A plain read races with an atomic write of the same object. */
PROGRAM(atomic_mixed_with_plain) {
    both(builtin_add, plain_read);
    return 0;
}

/* expect: verified
 * executions: 2
 * Atomic operations on a plain variable by the builtins. */
PROGRAM(atomic_builtins) {
    both(builtin_add, builtin_add);
    assert(plain == 2);
    return 0;
}

THREAD(sync_add) {
    __sync_fetch_and_add(&plain, 1);
    return NULL;
}

/* expect: verified
 * executions: 2
 * The older builtins are full barriers. */
PROGRAM(atomic_sync_builtins) {
    both(sync_add, sync_add);
    assert(plain == 2);
    return 0;
}

THREAD(wait_for_flag) {
    while (atomic_load_explicit(&flag, memory_order_acquire) == 0) {
    }
    assert(data == 42);
    return NULL;
}

/* expect: verified
 * The store of the other thread ends the polling loop. */
PROGRAM(atomic_polling) {
    both(publish, wait_for_flag);
    return 0;
}

THREAD(do_nothing) {
    return NULL;
}

/* expect: bug livelock
 * No thread stores to the flag. */
PROGRAM(atomic_polling_for_ever) {
    both(wait_for_flag, do_nothing);
    return 0;
}

THREAD(weak_loop) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {
    }
    return NULL;
}

/* expect: verified
 * The loop of compare-exchanges loses nothing. */
PROGRAM(atomic_weak_loop) {
    both(weak_loop, weak_loop);
    assert(x == 2);
    return 0;
}

THREAD(single_try) {
    int old = 0;
    atomic_fetch_add(&results, atomic_compare_exchange_strong(&x, &old, 1));
    return NULL;
}

/* expect: verified
 * Exactly one of two compare-exchanges from 0 succeeds. */
PROGRAM(atomic_one_winner) {
    both(single_try, single_try);
    assert(results == 1);
    return 0;
}

THREAD(take_lazily) {
    static _Atomic(int *) lazy;
    int *now = atomic_load_explicit(&lazy, memory_order_acquire);
    if (now == NULL) {
        int *fresh = malloc(sizeof *fresh);
        *fresh = 7;
        if (atomic_compare_exchange_strong(&lazy, &now, fresh)) {
            now = fresh;
        } else {
            free(fresh);
        }
    }
    assert(*now == 7);
    return NULL;
}

/* expect: verified
 * The loser of the race to publish frees its own block and uses the winner's. */
PROGRAM(atomic_lazy_pointer) {
    both(take_lazily, take_lazily);
    return 0;
}
