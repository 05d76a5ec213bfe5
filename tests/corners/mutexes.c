/* mutexes.c - mutexes of all types: which threads may lock, unlock, try and destroy them. */
#include "corner.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static int data, other;

static void make(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    OK(pthread_mutexattr_init(&attributes));
    OK(pthread_mutexattr_settype(&attributes, type));
    OK(pthread_mutex_init(mutex, &attributes));
    OK(pthread_mutexattr_destroy(&attributes));
}

THREAD(add_under_a) {
    OK(pthread_mutex_lock(&a));
    data++;
    OK(pthread_mutex_unlock(&a));
    return NULL;
}

THREAD(add_under_b) {
    OK(pthread_mutex_lock(&b));
    data++;
    OK(pthread_mutex_unlock(&b));
    return NULL;
}

/* expect: verified
 * executions: 2
 * The increments are ordered, because both are under the same mutex. Two critical sections have
 * two orders. */
PROGRAM(mutex_counter) {
    both(add_under_a, add_under_a);
    assert(data == 2);
    return 0;
}

/* expect: bug data-race
 * Two different mutexes do not order the threads. */
PROGRAM(mutex_two_locks_for_one_variable) {
    both(add_under_a, add_under_b);
    return 0;
}

THREAD(take_a_then_b) {
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_lock(&b));
    OK(pthread_mutex_unlock(&b));
    OK(pthread_mutex_unlock(&a));
    return NULL;
}

THREAD(take_b_then_a) {
    OK(pthread_mutex_lock(&b));
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_unlock(&b));
    return NULL;
}

/* expect: bug deadlock
 * Each thread can hold its first mutex while it waits for the other's. */
PROGRAM(mutex_opposite_order) {
    both(take_a_then_b, take_b_then_a);
    return 0;
}

/* expect: verified
 * executions: 2
 * Both threads take `a` first, so no thread waits for `a` while it holds `b`. Only the order of
 * the sections of `a` is free: two orders. */
PROGRAM(mutex_same_order) {
    both(take_a_then_b, take_a_then_b);
    return 0;
}

THREAD(take_b_then_c) {
    OK(pthread_mutex_lock(&b));
    OK(pthread_mutex_lock(&c));
    OK(pthread_mutex_unlock(&c));
    OK(pthread_mutex_unlock(&b));
    return NULL;
}

THREAD(take_c_then_a) {
    OK(pthread_mutex_lock(&c));
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_unlock(&c));
    return NULL;
}

/* expect: bug deadlock
 * A cycle of three threads: each holds the mutex that the one before it needs. */
PROGRAM(mutex_cycle_of_three) {
    pthread_t last = spawn(take_c_then_a, NULL);
    both(take_a_then_b, take_b_then_c);
    join(last);
    return 0;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

THREAD(gated_a_then_b) {
    OK(pthread_mutex_lock(&gate));
    take_a_then_b(NULL);
    OK(pthread_mutex_unlock(&gate));
    return NULL;
}

THREAD(gated_b_then_a) {
    OK(pthread_mutex_lock(&gate));
    take_b_then_a(NULL);
    OK(pthread_mutex_unlock(&gate));
    return NULL;
}

/* expect: verified
 * executions: 2
 * The mutexes are locked in opposite orders, but the gate lets only one thread do so at a time. */
PROGRAM(mutex_opposite_order_behind_a_gate) {
    both(gated_a_then_b, gated_b_then_a);
    return 0;
}

/* expect: bug deadlock
 * The owner of a normal mutex locks it again: POSIX says "deadlock". */
PROGRAM(mutex_normal_locked_twice) {
    make(&a, PTHREAD_MUTEX_NORMAL);
    OK(pthread_mutex_lock(&a));
    pthread_mutex_lock(&a);
    return 0;
}

/* expect: verified
 * executions: 1
 * For an error-checking mutex, the second lock returns EDEADLK, and the mutex stays locked once. */
PROGRAM(mutex_errorcheck_locked_twice) {
    make(&a, PTHREAD_MUTEX_ERRORCHECK);
    OK(pthread_mutex_lock(&a));
    GIVES(EDEADLK, pthread_mutex_lock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_destroy(&a));
    return 0;
}

/* expect: verified
 * executions: 1
 * A recursive mutex counts its locks. */
PROGRAM(mutex_recursive_counts) {
    make(&a, PTHREAD_MUTEX_RECURSIVE);
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_trylock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_destroy(&a));
    return 0;
}

THREAD(try_a_is_busy) {
    GIVES(EBUSY, pthread_mutex_trylock(&a));
    return NULL;
}

/* expect: verified
 * A recursive mutex that was locked twice and unlocked once is still held, so the other thread
 * cannot get it. */
PROGRAM(mutex_recursive_still_held) {
    make(&a, PTHREAD_MUTEX_RECURSIVE);
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_unlock(&a));
    join(spawn(try_a_is_busy, NULL));
    OK(pthread_mutex_unlock(&a));
    return 0;
}

THREAD(lock_a_recursively_and_release_one) {
    OK(pthread_mutex_lock(&a));
    OK(pthread_mutex_lock(&a));
    data++;
    OK(pthread_mutex_unlock(&a));
    data++;
    OK(pthread_mutex_unlock(&a));
    return NULL;
}

/* expect: verified
 * executions: 2
 * The critical section lasts until the second unlock. */
PROGRAM(mutex_recursive_section_lasts) {
    make(&a, PTHREAD_MUTEX_RECURSIVE);
    both(lock_a_recursively_and_release_one, lock_a_recursively_and_release_one);
    assert(data == 4);
    return 0;
}

/* expect: bug sync-misuse
 * Unlocking a default mutex that no thread holds is undefined. */
PROGRAM(mutex_unlock_of_a_free_one) {
    pthread_mutex_unlock(&a);
    return 0;
}

/* expect: verified
 * executions: 1
 * An error-checking mutex returns EPERM. That is its purpose. */
PROGRAM(mutex_errorcheck_unlock_of_a_free_one) {
    make(&a, PTHREAD_MUTEX_ERRORCHECK);
    GIVES(EPERM, pthread_mutex_unlock(&a));
    return 0;
}

/* expect: verified
 * executions: 1
 * A recursive mutex returns EPERM too. */
PROGRAM(mutex_recursive_unlock_of_a_free_one) {
    make(&a, PTHREAD_MUTEX_RECURSIVE);
    GIVES(EPERM, pthread_mutex_unlock(&a));
    return 0;
}

THREAD(unlock_a) {
    pthread_mutex_unlock(&a);
    return NULL;
}

/* expect: bug sync-misuse
 * Only the owner may unlock a normal mutex. */
PROGRAM(mutex_unlocked_by_another) {
    OK(pthread_mutex_lock(&a));
    join(spawn(unlock_a, NULL));
    return 0;
}

THREAD(unlock_a_is_forbidden) {
    GIVES(EPERM, pthread_mutex_unlock(&a));
    return NULL;
}

/* expect: verified
 * For an error-checking mutex, the unlock by another thread returns EPERM, and the owner keeps
 * the mutex. */
PROGRAM(mutex_errorcheck_unlocked_by_another) {
    make(&a, PTHREAD_MUTEX_ERRORCHECK);
    OK(pthread_mutex_lock(&a));
    join(spawn(unlock_a_is_forbidden, NULL));
    OK(pthread_mutex_unlock(&a));
    return 0;
}

/* expect: bug sync-misuse
 * Destroying a mutex that is locked is undefined. */
PROGRAM(mutex_destroyed_while_held) {
    OK(pthread_mutex_lock(&a));
    pthread_mutex_destroy(&a);
    return 0;
}

THREAD(destroy_a) {
    pthread_mutex_destroy(&a);
    return NULL;
}

/* expect: bug sync-misuse
 * The other thread may be in its section, or may lock the mutex after its end. */
PROGRAM(mutex_destroyed_while_others_use_it) {
    both(add_under_a, destroy_a);
    return 0;
}

/* expect: verified
 * A mutex that was destroyed may be initialised again. */
PROGRAM(mutex_made_again) {
    OK(pthread_mutex_destroy(&a));
    make(&a, PTHREAD_MUTEX_NORMAL);
    both(add_under_a, add_under_a);
    OK(pthread_mutex_destroy(&a));
    return 0;
}

/* expect: bug sync-misuse
 * A mutex that was destroyed must not be locked. */
PROGRAM(mutex_locked_after_its_end) {
    OK(pthread_mutex_destroy(&a));
    pthread_mutex_lock(&a);
    return 0;
}

THREAD(try_a_and_add) {
    if (pthread_mutex_trylock(&a) == 0) {
        data++;
        OK(pthread_mutex_unlock(&a));
    }
    return NULL;
}

/* expect: verified
 * A thread adds only if it got the mutex. */
PROGRAM(mutex_try_and_add) {
    both(try_a_and_add, add_under_a);
    return 0;
}

/* expect: bug assertion
 * The try fails if the other thread is in its section. */
PROGRAM(mutex_try_can_fail) {
    both(try_a_and_add, add_under_a);
    assert(data == 2);
    return 0;
}

THREAD(try_a_and_add_anyway) {
    int result = pthread_mutex_trylock(&a);
    data++;
    if (result == 0) {
        OK(pthread_mutex_unlock(&a));
    }
    return NULL;
}

/* expect: bug data-race
 * A trylock that fails does not order the threads. */
PROGRAM(mutex_failed_try_orders_nothing) {
    both(try_a_and_add_anyway, add_under_a);
    return 0;
}

/* expect: verified
 * executions: 1
 * A trylock of a normal mutex by its owner fails like any other. */
PROGRAM(mutex_try_of_ones_own) {
    OK(pthread_mutex_lock(&a));
    GIVES(EBUSY, pthread_mutex_trylock(&a));
    OK(pthread_mutex_unlock(&a));
    return 0;
}

THREAD(keep_a) {
    OK(pthread_mutex_lock(&a));
    return NULL;
}

/* expect: bug leaked-lock
 * The thread ends with the mutex locked, so main's lock would wait for ever. The end of the
 * thread comes first, so the finding is the leaked lock. */
PROGRAM(mutex_kept_by_an_ended_thread) {
    join(spawn(keep_a, NULL));
    pthread_mutex_lock(&a);
    return 0;
}

/* expect: bug leaked-lock
 * The thread ends with the mutex locked. No thread wants the mutex after that, but no thread can
 * get it any more. */
PROGRAM(mutex_leaked) {
    join(spawn(keep_a, NULL));
    return 0;
}

THREAD(read_under_a_store_outside) {
    OK(pthread_mutex_lock(&a));
    int copy = data;
    OK(pthread_mutex_unlock(&a));
    OK(pthread_mutex_lock(&a));
    data = copy + 1;
    OK(pthread_mutex_unlock(&a));
    return NULL;
}

/* expect: bug assertion
 * There is no data race, but the read and the write are in two sections, so both threads may
 * read 0. */
PROGRAM(mutex_lost_update_in_two_sections) {
    both(read_under_a_store_outside, read_under_a_store_outside);
    assert(data == 2);
    return 0;
}

THREAD(write_other_before_a) {
    other = 1;
    OK(pthread_mutex_lock(&a));
    data = 1;
    OK(pthread_mutex_unlock(&a));
    return NULL;
}

THREAD(read_other_if_told) {
    OK(pthread_mutex_lock(&a));
    int told = data;
    OK(pthread_mutex_unlock(&a));
    if (told) {
        assert(other == 1);
    }
    return NULL;
}

/* expect: verified
 * executions: 2
 * What a thread did before it unlocked is visible after a later lock. */
PROGRAM(mutex_publishes_what_came_before) {
    both(write_other_before_a, read_other_if_told);
    return 0;
}

THREAD(write_other_after_a) {
    OK(pthread_mutex_lock(&a));
    data = 1;
    OK(pthread_mutex_unlock(&a));
    other = 1;
    return NULL;
}

/* expect: bug data-race
 * What a thread does after its unlock is not ordered by a later lock. */
PROGRAM(mutex_does_not_publish_what_comes_after) {
    both(write_other_after_a, read_other_if_told);
    return 0;
}
