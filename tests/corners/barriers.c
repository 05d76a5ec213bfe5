/* barriers.c - pthread_barrier_*. */
#include "corner.h"

static pthread_barrier_t barrier;
static int data, other, serial;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void make(unsigned count) {
    OK(pthread_barrier_init(&barrier, NULL, count));
}

static void meet(void) {
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
}

THREAD(write_then_meet) {
    data = 1;
    meet();
    assert(other == 1);
    return NULL;
}

THREAD(write_other_then_meet) {
    other = 1;
    meet();
    assert(data == 1);
    return NULL;
}

/* expect: verified
 * What each thread did before the barrier is visible to both after it. */
PROGRAM(barrier_phases) {
    make(2);
    both(write_then_meet, write_other_then_meet);
    OK(pthread_barrier_destroy(&barrier));
    return 0;
}

THREAD(meet_then_write) {
    meet();
    data = 1;
    return NULL;
}

THREAD(meet_then_read) {
    meet();
    assert(data == 0 || data == 1);
    return NULL;
}

/* expect: bug data-race
 * After the barrier, nothing orders the two threads. */
PROGRAM(barrier_race_behind_it) {
    make(2);
    both(meet_then_write, meet_then_read);
    return 0;
}

/* expect: bug deadlock
 * The barrier waits for three threads, and only two come. */
PROGRAM(barrier_one_is_missing) {
    make(3);
    both(meet_then_write, meet_then_read);
    return 0;
}

THREAD(count_serial) {
    int result = pthread_barrier_wait(&barrier);
    OK(pthread_mutex_lock(&mutex));
    serial += result == PTHREAD_BARRIER_SERIAL_THREAD;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * Exactly one of the threads is told that it is the serial thread. */
PROGRAM(barrier_one_serial_thread) {
    make(2);
    both(count_serial, count_serial);
    assert(serial == 1);
    return 0;
}

THREAD(two_rounds) {
    meet();
    OK(pthread_mutex_lock(&mutex));
    data++;
    OK(pthread_mutex_unlock(&mutex));
    meet();
    assert(data == 2);
    return NULL;
}

/* expect: verified
 * A barrier is ready for its next round at once. */
PROGRAM(barrier_two_rounds) {
    make(2);
    both(two_rounds, two_rounds);
    return 0;
}

THREAD(one_round) {
    meet();
    return NULL;
}

THREAD(one_round_more) {
    meet();
    meet();
    return NULL;
}

/* expect: bug deadlock
 * Only one thread comes to the second round. */
PROGRAM(barrier_unequal_rounds) {
    make(2);
    both(one_round, one_round_more);
    return 0;
}

/* expect: verified
 * executions: 1
 * A barrier for one thread never waits, and this thread is the serial thread. A barrier for no
 * thread is invalid. */
PROGRAM(barrier_for_one) {
    GIVES(EINVAL, pthread_barrier_init(&barrier, NULL, 0));
    make(1);
    GIVES(PTHREAD_BARRIER_SERIAL_THREAD, pthread_barrier_wait(&barrier));
    GIVES(PTHREAD_BARRIER_SERIAL_THREAD, pthread_barrier_wait(&barrier));
    return 0;
}

THREAD(meet_under_mutex) {
    OK(pthread_mutex_lock(&mutex));
    meet();
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * The thread that waits at the barrier holds the mutex that the other thread needs to get there. */
PROGRAM(barrier_under_a_mutex) {
    make(2);
    both(meet_under_mutex, meet_under_mutex);
    return 0;
}

/* expect: bug assertion
 * Either thread may be the serial thread. */
PROGRAM(barrier_serial_thread_is_not_the_first) {
    make(2);
    pthread_t thread = spawn(one_round, NULL);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    join(thread);
    return 0;
}

/* expect: verified
 * A thread that has left the barrier may destroy it, even if the other thread is still leaving
 * (POSIX: destroying blocks until it is safe). */
PROGRAM(barrier_destroyed_by_the_last) {
    make(2);
    pthread_t thread = spawn(one_round, NULL);
    meet();
    OK(pthread_barrier_destroy(&barrier));
    join(thread);
    return 0;
}
