/* once.c - pthread_once. */
#include "corner.h"

static pthread_once_t once = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
static int data, ran;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void initialise(void) {
    ran++;
    data = 7;
}

THREAD(use) {
    OK(pthread_once(&once, initialise));
    assert(data == 7);
    return NULL;
}

/* expect: verified
 * executions: 2
 * The first caller runs the routine. Its writes are visible to all callers that return: two
 * orders. */
PROGRAM(once_publishes) {
    both(use, use);
    assert(ran == 1);
    return 0;
}

static int slow;

static void initialise_in_two_steps(void) {
    OK(pthread_mutex_lock(&mutex));
    slow = 1;
    OK(pthread_mutex_unlock(&mutex));
    slow = 2;
}

THREAD(use_slow) {
    OK(pthread_once(&once, initialise_in_two_steps));
    assert(slow == 2);
    return NULL;
}

/* expect: verified
 * The second caller waits until the routine has returned. */
PROGRAM(once_waits_for_the_end) {
    both(use_slow, use_slow);
    return 0;
}

THREAD(look_without_once) {
    assert(data == 0 || data == 7);
    return NULL;
}

/* expect: bug data-race
 * A thread that does not call pthread_once is not ordered after the routine. */
PROGRAM(once_not_called) {
    both(use, look_without_once);
    return 0;
}

static void call_again(void) {
    pthread_once(&once, call_again);
}

/* expect: bug deadlock
 * A routine that calls pthread_once with its own control waits for itself. */
PROGRAM(once_recursive) {
    pthread_once(&once, call_again);
    return 0;
}

static void first_then_second(void) {
    OK(pthread_once(&second, initialise));
}

static void nothing(void) {
}

static void second_then_first(void) {
    OK(pthread_once(&once, nothing));
}

THREAD(begin_with_first) {
    OK(pthread_once(&once, first_then_second));
    return NULL;
}

THREAD(begin_with_second) {
    OK(pthread_once(&second, second_then_first));
    return NULL;
}

/* expect: bug deadlock
 * Two threads use two controls in opposite orders. */
PROGRAM(once_opposite_order) {
    both(begin_with_first, begin_with_second);
    return 0;
}

/* expect: verified
 * Both threads nest the two controls in the same order. */
PROGRAM(once_nested) {
    both(begin_with_first, begin_with_first);
    assert(ran == 1);
    return 0;
}

static void take_mutex(void) {
    OK(pthread_mutex_lock(&mutex));
    data = 1;
    OK(pthread_mutex_unlock(&mutex));
}

THREAD(once_with_mutex_held) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_once(&once, nothing));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(once_that_takes_mutex) {
    OK(pthread_once(&once, take_mutex));
    return NULL;
}

/* expect: bug deadlock
 * One thread waits for the routine while it holds the mutex that the routine needs. */
PROGRAM(once_under_a_mutex) {
    both(once_with_mutex_held, once_that_takes_mutex);
    return 0;
}

static void stop_in_the_middle(void) {
    ran++;
    if (ran == 1) {
        pthread_testcancel();
    }
}

THREAD(cancelled_in_once) {
    OK(pthread_cancel(pthread_self()));
    pthread_once(&once, stop_in_the_middle);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A routine that is cancelled counts as never called, so the next caller runs it again. */
PROGRAM(once_cancelled) {
    assert(join(spawn(cancelled_in_once, NULL)) == PTHREAD_CANCELED);
    OK(pthread_once(&once, stop_in_the_middle));
    assert(ran == 2);
    return 0;
}
