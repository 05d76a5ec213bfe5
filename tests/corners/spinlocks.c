/* spinlocks.c - pthread_spin_*. */
#include "corner.h"

static pthread_spinlock_t lock, second;
static int data;

static void make(void) {
    OK(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
    OK(pthread_spin_init(&second, PTHREAD_PROCESS_PRIVATE));
}

THREAD(add) {
    OK(pthread_spin_lock(&lock));
    data++;
    OK(pthread_spin_unlock(&lock));
    return NULL;
}

/* expect: verified
 * executions: 2
 * A spin lock orders like a mutex: two orders. */
PROGRAM(spin_counter) {
    make();
    both(add, add);
    assert(data == 2);
    OK(pthread_spin_destroy(&lock));
    return 0;
}

THREAD(add_without) {
    data++;
    return NULL;
}

/* expect: bug data-race
 * One of the two threads does not take the lock. */
PROGRAM(spin_forgotten) {
    make();
    both(add, add_without);
    return 0;
}

/* expect: verified
 * executions: 1
 * A trylock of a held lock returns EBUSY. */
PROGRAM(spin_try_of_ones_own) {
    make();
    OK(pthread_spin_trylock(&lock));
    GIVES(EBUSY, pthread_spin_trylock(&lock));
    OK(pthread_spin_unlock(&lock));
    return 0;
}

THREAD(lock_then_second) {
    OK(pthread_spin_lock(&lock));
    OK(pthread_spin_lock(&second));
    OK(pthread_spin_unlock(&second));
    OK(pthread_spin_unlock(&lock));
    return NULL;
}

THREAD(second_then_lock) {
    OK(pthread_spin_lock(&second));
    OK(pthread_spin_lock(&lock));
    OK(pthread_spin_unlock(&lock));
    OK(pthread_spin_unlock(&second));
    return NULL;
}

/* expect: bug deadlock
 * The threads take two locks in opposite orders. */
PROGRAM(spin_opposite_order) {
    make();
    both(lock_then_second, second_then_lock);
    return 0;
}

/* expect: bug deadlock
 * A thread that locks again spins for ever. */
PROGRAM(spin_locked_twice) {
    make();
    OK(pthread_spin_lock(&lock));
    pthread_spin_lock(&lock);
    return 0;
}

/* expect: bug sync-misuse
 * No thread holds the lock. */
PROGRAM(spin_unlock_of_a_free_one) {
    make();
    pthread_spin_unlock(&lock);
    return 0;
}

THREAD(try_and_add) {
    if (pthread_spin_trylock(&lock) == 0) {
        data++;
        OK(pthread_spin_unlock(&lock));
    }
    return NULL;
}

/* expect: verified
 * Each thread adds only if it got the lock. */
PROGRAM(spin_try_and_add) {
    make();
    both(try_and_add, try_and_add);
    assert(data >= 1);
    return 0;
}

/* expect: bug assertion
 * A trylock may fail, so one addition may be missing. */
PROGRAM(spin_try_can_fail) {
    make();
    both(try_and_add, try_and_add);
    assert(data == 2);
    return 0;
}
