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
 * What each did before is visible to both behind it. */
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
 * Behind the barrier they are free again. */
PROGRAM(barrier_race_behind_it) {
    make(2);
    both(meet_then_write, meet_then_read);
    return 0;
}

/* expect: bug deadlock
 * Three are wanted, two come. */
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
 * Exactly one of them is told to be the serial thread. */
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
 * The second round has one visitor. */
PROGRAM(barrier_unequal_rounds) {
    make(2);
    both(one_round, one_round_more);
    return 0;
}

/* expect: verified
 * executions: 1
 * A barrier for one never waits, and that one is the serial thread. A barrier for none is invalid. */
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
 * The one that waits at the barrier has the mutex that the other needs to come to it. */
PROGRAM(barrier_under_a_mutex) {
    make(2);
    both(meet_under_mutex, meet_under_mutex);
    return 0;
}

/* expect: bug assertion
 * Which of them is the serial thread is open. */
PROGRAM(barrier_serial_thread_is_not_the_first) {
    make(2);
    pthread_t thread = spawn(one_round, NULL);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    join(thread);
    return 0;
}

/* expect: verified
 * The serial thread may destroy a barrier behind which everybody is, or is on the way (POSIX: it blocks until safe). */
PROGRAM(barrier_destroyed_by_the_last) {
    make(2);
    pthread_t thread = spawn(one_round, NULL);
    meet();
    OK(pthread_barrier_destroy(&barrier));
    join(thread);
    return 0;
}
