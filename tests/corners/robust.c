/* robust.c - robust mutexes, which survive the end of their owner. */
#include "corner.h"
#include <stdatomic.h>

static pthread_mutex_t mutex;
static int data;
static atomic_int died;

static void make(void) {
    pthread_mutexattr_t attributes;
    OK(pthread_mutexattr_init(&attributes));
    OK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
    OK(pthread_mutex_init(&mutex, &attributes));
}

THREAD(end_with_it) {
    OK(pthread_mutex_lock(&mutex));
    data = 1;
    return NULL;
}

/* expect: verified
 * executions: 1
 * EOWNERDEAD tells the next owner that the last one ended. The next owner makes the mutex
 * consistent. */
PROGRAM(robust_owner_died) {
    make();
    join(spawn(end_with_it, NULL));
    GIVES(EOWNERDEAD, pthread_mutex_lock(&mutex));
    assert(data == 1);
    OK(pthread_mutex_consistent(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_mutex_destroy(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * If the next owner unlocks without making the mutex consistent, later locks return
 * ENOTRECOVERABLE. */
PROGRAM(robust_not_recovered) {
    make();
    join(spawn(end_with_it, NULL));
    GIVES(EOWNERDEAD, pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    GIVES(ENOTRECOVERABLE, pthread_mutex_lock(&mutex));
    GIVES(ENOTRECOVERABLE, pthread_mutex_trylock(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * A trylock returns EOWNERDEAD too, and takes the mutex. */
PROGRAM(robust_try) {
    make();
    join(spawn(end_with_it, NULL));
    GIVES(EOWNERDEAD, pthread_mutex_trylock(&mutex));
    OK(pthread_mutex_consistent(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

THREAD(take_it_over) {
    int result = pthread_mutex_lock(&mutex);
    if (result == EOWNERDEAD) {
        atomic_fetch_add(&died, 1);
        OK(pthread_mutex_consistent(&mutex));
        result = 0;
    }
    assert(result == 0);
    data++;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * The other thread gets the mutex before the owner had it, or after the owner's end. */
PROGRAM(robust_waiter_inherits) {
    make();
    both(end_with_it, take_it_over);
    return 0;
}

/* expect: bug assertion
 * The other thread may lock the mutex before the owner does. Then no thread sees the owner's
 * death. */
PROGRAM(robust_death_may_be_unseen) {
    make();
    both(end_with_it, take_it_over);
    assert(died == 1);
    return 0;
}

THREAD(take_it_carelessly) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug assertion
 * The thread does not expect EOWNERDEAD. */
PROGRAM(robust_carelessly) {
    make();
    both(end_with_it, take_it_carelessly);
    return 0;
}

/* expect: verified
 * executions: 1
 * Only a mutex that is inconsistent can be made consistent. */
PROGRAM(robust_consistent_without_need) {
    make();
    OK(pthread_mutex_lock(&mutex));
    GIVES(EINVAL, pthread_mutex_consistent(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * The attribute can be read back. A mutex is not robust by default. */
PROGRAM(robust_attribute) {
    pthread_mutexattr_t attributes;
    int kind = -1;
    OK(pthread_mutexattr_init(&attributes));
    OK(pthread_mutexattr_getrobust(&attributes, &kind));
    assert(kind == PTHREAD_MUTEX_STALLED);
    GIVES(EINVAL, pthread_mutexattr_setrobust(&attributes, 77));
    OK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
    OK(pthread_mutexattr_getrobust(&attributes, &kind));
    assert(kind == PTHREAD_MUTEX_ROBUST);
    return 0;
}
