/* condvars.c - condition variables: lost signals, wrong predicates, and which thread is woken. */
#include "corner.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, other_cond = PTHREAD_COND_INITIALIZER;
static int ready, count, data;

THREAD(wait_until_ready) {
    OK(pthread_mutex_lock(&mutex));
    while (!ready) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    data++;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(set_and_signal) {
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * executions: 2
 * The textbook use. The predicate is set before the waiter tests it, or while the waiter waits:
 * 2 executions. */
PROGRAM(cond_textbook) {
    both(wait_until_ready, set_and_signal);
    return 0;
}

THREAD(set_then_signal_outside) {
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_cond_signal(&cond));
    return NULL;
}

/* expect: verified
 * A signal after the unlock is allowed, because the predicate was set under the mutex. */
PROGRAM(cond_signal_outside) {
    both(wait_until_ready, set_then_signal_outside);
    return 0;
}

THREAD(signal_only) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(wait_without_predicate) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_cond_wait(&cond, &mutex));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * The signal is lost if it comes before the wait. */
PROGRAM(cond_lost_signal) {
    both(wait_without_predicate, signal_only);
    return 0;
}

THREAD(signal_then_set) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * The waiter wakes, finds the predicate false, and waits again. No second signal comes. */
PROGRAM(cond_signal_before_predicate) {
    both(wait_until_ready, signal_then_set);
    return 0;
}

THREAD(set_without_mutex) {
    ready = 1;
    OK(pthread_cond_signal(&cond));
    return NULL;
}

/* expect: bug data-race
 * The predicate is written without the mutex. */
PROGRAM(cond_predicate_without_mutex) {
    both(wait_until_ready, set_without_mutex);
    return 0;
}

/* expect: bug deadlock
 * One signal wakes one of two waiters. */
PROGRAM(cond_signal_for_two) {
    pthread_t third = spawn(wait_until_ready, NULL);
    both(wait_until_ready, set_and_signal);
    join(third);
    return 0;
}

THREAD(set_and_broadcast) {
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_cond_broadcast(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * A broadcast wakes all. */
PROGRAM(cond_broadcast_for_two) {
    pthread_t third = spawn(wait_until_ready, NULL);
    both(wait_until_ready, set_and_broadcast);
    join(third);
    assert(data == 2);
    return 0;
}

THREAD(take_one) {
    OK(pthread_mutex_lock(&mutex));
    if (count == 0) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    assert(count > 0);
    count--;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(put_one) {
    OK(pthread_mutex_lock(&mutex));
    count++;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug assertion
 * `if` instead of `while`: between the signal and the waiter's lock, another thread may have
 * taken the item. */
PROGRAM(cond_if_instead_of_while) {
    pthread_t second = spawn(take_one, NULL), put = spawn(put_one, NULL);
    both(take_one, put_one);
    join(second);
    join(put);
    return 0;
}

THREAD(take_one_rightly) {
    OK(pthread_mutex_lock(&mutex));
    while (count == 0) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    count--;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * With `while`, each put has its signal, and two puts serve two takers. */
PROGRAM(cond_while) {
    pthread_t put = spawn(put_one, NULL), put_again = spawn(put_one, NULL);
    both(take_one_rightly, take_one_rightly);
    join(put);
    join(put_again);
    assert(count == 0);
    return 0;
}

/* expect: bug sync-misuse
 * The caller of a wait must own the mutex. */
PROGRAM(cond_wait_without_the_mutex) {
    pthread_cond_wait(&cond, &mutex);
    return 0;
}

THREAD(destroy_cond) {
    OK(pthread_mutex_lock(&mutex));
    pthread_cond_destroy(&cond);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug sync-misuse
 * A condition variable must not be destroyed while a thread waits on it, and no thread may wait
 * on it after its end. */
PROGRAM(cond_destroyed_while_waited_for) {
    both(wait_until_ready, destroy_cond);
    return 0;
}

THREAD(broadcast_and_destroy) {
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_cond_broadcast(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * A condition variable may be destroyed as soon as all waiters have been woken (the example in
 * pthread_cond_destroy). */
PROGRAM(cond_destroyed_after_broadcast) {
    both(wait_until_ready, broadcast_and_destroy);
    OK(pthread_cond_destroy(&cond));
    OK(pthread_mutex_destroy(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * A signal without waiters does nothing. */
PROGRAM(cond_signals_for_nobody) {
    OK(pthread_cond_signal(&cond));
    OK(pthread_cond_broadcast(&cond));
    return 0;
}

static int turn;

THREAD(ping) {
    OK(pthread_mutex_lock(&mutex));
    for (int i = 0; i < 2; i++) {
        while (turn != 0) {
            OK(pthread_cond_wait(&cond, &mutex));
        }
        turn = 1;
        data++;
        OK(pthread_cond_signal(&other_cond));
    }
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(pong) {
    OK(pthread_mutex_lock(&mutex));
    for (int i = 0; i < 2; i++) {
        while (turn != 1) {
            OK(pthread_cond_wait(&other_cond, &mutex));
        }
        turn = 0;
        data++;
        OK(pthread_cond_signal(&cond));
    }
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * Two condition variables with one mutex enforce strict turns. */
PROGRAM(cond_ping_pong) {
    both(ping, pong);
    assert(data == 4);
    return 0;
}

THREAD(pong_on_the_same) {
    OK(pthread_mutex_lock(&mutex));
    while (turn != 1) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    turn = 2;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(wait_for_two) {
    OK(pthread_mutex_lock(&mutex));
    while (turn != 2) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(set_turn_to_one) {
    OK(pthread_mutex_lock(&mutex));
    turn = 1;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * Two predicates share one condition variable, and the threads signal instead of broadcasting. A
 * signal may wake the wrong waiter. This waiter goes back to sleep, and the right one never
 * wakes. */
PROGRAM(cond_signal_wakes_the_wrong_one) {
    pthread_t third = spawn(wait_for_two, NULL);
    both(pong_on_the_same, set_turn_to_one);
    join(third);
    return 0;
}

THREAD(wait_with_other_held) {
    OK(pthread_mutex_lock(&other_mutex));
    OK(pthread_mutex_lock(&mutex));
    while (!ready) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_mutex_unlock(&other_mutex));
    return NULL;
}

THREAD(set_through_other) {
    OK(pthread_mutex_lock(&other_mutex));
    set_and_signal(NULL);
    OK(pthread_mutex_unlock(&other_mutex));
    return NULL;
}

/* expect: bug deadlock
 * A wait releases only its own mutex, and the other thread needs the other mutex before it can
 * signal. */
PROGRAM(cond_wait_keeps_other_mutexes) {
    both(wait_with_other_held, set_through_other);
    return 0;
}

THREAD(wait_with_if) {
    OK(pthread_mutex_lock(&mutex));
    if (!ready) {
        OK(pthread_cond_wait(&cond, &mutex));
    }
    assert(ready);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug assertion
 * options: --spurious-wakeups
 * A wait may return without a signal, so its predicate must be tested again. */
PROGRAM(cond_spurious_wakeup) {
    both(wait_with_if, set_and_signal);
    return 0;
}

/* expect: verified
 * documented: Spurious wake-ups only with `--spurious-wakeups`
 * Without that option the wait returns only after the signal. */
PROGRAM(cond_no_spurious_wakeup) {
    both(wait_with_if, set_and_signal);
    return 0;
}

THREAD(wait_and_relock_recursive) {
    OK(pthread_mutex_lock(&other_mutex));
    while (!ready) {
        OK(pthread_cond_wait(&cond, &other_mutex));
    }
    OK(pthread_mutex_unlock(&other_mutex));
    return NULL;
}

/* expect: bug sync-misuse
 * Two waits at the same time with different mutexes on one condition variable are undefined. */
PROGRAM(cond_waits_with_two_mutexes) {
    pthread_t one = spawn(wait_until_ready, NULL), two = spawn(wait_and_relock_recursive, NULL);
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_lock(&other_mutex));
    ready = 1;
    OK(pthread_cond_broadcast(&cond));
    OK(pthread_mutex_unlock(&other_mutex));
    OK(pthread_mutex_unlock(&mutex));
    join(one);
    join(two);
    return 0;
}
