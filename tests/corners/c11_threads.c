/* c11_threads.c - <threads.h> (C11 7.26). */
#include "corner.h"
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex, second;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int data, ready, ran;
static atomic_int flag;

static void both_threads(thrd_start_t first, thrd_start_t other) {
    thrd_t one, two;
    GIVES(thrd_success, thrd_create(&one, first, NULL));
    GIVES(thrd_success, thrd_create(&two, other, NULL));
    GIVES(thrd_success, thrd_join(one, NULL));
    GIVES(thrd_success, thrd_join(two, NULL));
}

static int add(void *argument) {
    (void)argument;
    GIVES(thrd_success, mtx_lock(&mutex));
    data++;
    GIVES(thrd_success, mtx_unlock(&mutex));
    return 3;
}

/* expect: verified
 * executions: 2
 * The mutex orders the increments: two orders. thrd_join returns the result. */
PROGRAM(c11_mutex) {
    int result = 0;
    thrd_t thread;
    GIVES(thrd_success, mtx_init(&mutex, mtx_plain));
    GIVES(thrd_success, thrd_create(&thread, add, NULL));
    add(NULL);
    GIVES(thrd_success, thrd_join(thread, &result));
    assert(data == 2 && result == 3);
    mtx_destroy(&mutex);
    return 0;
}

static int add_without(void *argument) {
    (void)argument;
    data++;
    return 0;
}

/* expect: bug data-race
 * One of the two threads does not use the mutex. */
PROGRAM(c11_race) {
    mtx_init(&mutex, mtx_plain);
    both_threads(add, add_without);
    return 0;
}

/* expect: bug deadlock
 * A plain mutex is not recursive. Locking it again is undefined, and in glibc it waits for ever. */
PROGRAM(c11_plain_twice) {
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    return 0;
}

/* expect: verified
 * executions: 1
 * A recursive mutex may be locked again by its owner. */
PROGRAM(c11_recursive) {
    GIVES(thrd_success, mtx_init(&mutex, mtx_plain | mtx_recursive));
    GIVES(thrd_success, mtx_lock(&mutex));
    GIVES(thrd_success, mtx_lock(&mutex));
    GIVES(thrd_success, mtx_unlock(&mutex));
    GIVES(thrd_success, mtx_unlock(&mutex));
    return 0;
}

static int try_is_busy(void *argument) {
    (void)argument;
    GIVES(thrd_busy, mtx_trylock(&mutex));
    return 0;
}

/* expect: verified
 * mtx_trylock of a held mutex returns thrd_busy. */
PROGRAM(c11_try) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    thrd_create(&thread, try_is_busy, NULL);
    thrd_join(thread, NULL);
    mtx_unlock(&mutex);
    return 0;
}

/* expect: verified
 * mtx_timedlock of a mutex that stays locked returns thrd_timedout. */
PROGRAM(c11_timed) {
    struct timespec deadline;
    GIVES(TIME_UTC, timespec_get(&deadline, TIME_UTC));
    mtx_init(&mutex, mtx_timed);
    GIVES(thrd_success, mtx_timedlock(&mutex, &deadline));
    GIVES(thrd_timedout, mtx_timedlock(&mutex, &deadline));
    mtx_unlock(&mutex);
    return 0;
}

static int lock_in_order(void *argument) {
    (void)argument;
    mtx_lock(&mutex);
    mtx_lock(&second);
    mtx_unlock(&second);
    mtx_unlock(&mutex);
    return 0;
}

static int lock_backwards(void *argument) {
    (void)argument;
    mtx_lock(&second);
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    mtx_unlock(&second);
    return 0;
}

/* expect: bug deadlock
 * The threads lock two mutexes in opposite orders. */
PROGRAM(c11_opposite_order) {
    mtx_init(&mutex, mtx_plain);
    mtx_init(&second, mtx_plain);
    both_threads(lock_in_order, lock_backwards);
    return 0;
}

static int unlock_only(void *argument) {
    (void)argument;
    mtx_unlock(&mutex);
    return 0;
}

/* expect: bug sync-misuse
 * The thread that unlocks a mutex must own it (7.26.4.6). */
PROGRAM(c11_unlock_by_another) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    thrd_create(&thread, unlock_only, NULL);
    thrd_join(thread, NULL);
    return 0;
}

static int wait_until_ready(void *argument) {
    (void)argument;
    mtx_lock(&mutex);
    while (!ready) {
        GIVES(thrd_success, cnd_wait(&condition, &mutex));
    }
    mtx_unlock(&mutex);
    return 0;
}

static int make_ready(void *argument) {
    (void)argument;
    mtx_lock(&mutex);
    ready = 1;
    mtx_unlock(&mutex);
    GIVES(thrd_success, cnd_signal(&condition));
    return 0;
}

/* expect: verified
 * The textbook use of a condition variable. */
PROGRAM(c11_condition) {
    mtx_init(&mutex, mtx_plain);
    GIVES(thrd_success, cnd_init(&condition));
    both_threads(wait_until_ready, make_ready);
    cnd_destroy(&condition);
    return 0;
}

static int signal_without_state(void *argument) {
    (void)argument;
    cnd_signal(&condition);
    return 0;
}

/* expect: bug deadlock
 * No thread makes the predicate true. */
PROGRAM(c11_condition_never) {
    mtx_init(&mutex, mtx_plain);
    cnd_init(&condition);
    both_threads(wait_until_ready, signal_without_state);
    return 0;
}

/* expect: verified
 * No thread signals, so cnd_timedwait ends by its deadline. It returns thrd_timedout, and the
 * mutex is locked again. */
PROGRAM(c11_condition_timed) {
    struct timespec deadline;
    timespec_get(&deadline, TIME_UTC);
    mtx_init(&mutex, mtx_plain);
    cnd_init(&condition);
    mtx_lock(&mutex);
    GIVES(thrd_timedout, cnd_timedwait(&condition, &mutex, &deadline));
    GIVES(thrd_success, mtx_unlock(&mutex));
    return 0;
}

/* expect: bug deadlock
 * Two threads wait, and there is one signal. */
PROGRAM(c11_signal_for_two) {
    thrd_t third;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&condition);
    thrd_create(&third, wait_until_ready, NULL);
    both_threads(wait_until_ready, make_ready);
    thrd_join(third, NULL);
    return 0;
}

static void initialise(void) {
    ran++;
    data = 5;
}

static int use_once(void *argument) {
    (void)argument;
    call_once(&once, initialise);
    assert(data == 5);
    return 0;
}

/* expect: verified
 * executions: 2
 * call_once: one thread runs the routine, and both see its writes. */
PROGRAM(c11_once) {
    both_threads(use_once, use_once);
    assert(ran == 1);
    return 0;
}

static void count(void *value) {
    atomic_fetch_add(&flag, *(int *)value);
}

static int set_key(void *argument) {
    static int two = 2;
    (void)argument;
    assert(tss_get(key) == NULL);
    GIVES(thrd_success, tss_set(key, &two));
    return 0;
}

/* expect: verified
 * The destructors of thread-specific storage run at the end of each thread: 2 + 2. */
PROGRAM(c11_specific_storage) {
    GIVES(thrd_success, tss_create(&key, count));
    both_threads(set_key, set_key);
    assert(flag == 4);
    tss_delete(key);
    return 0;
}

static int leave_early(void *argument) {
    (void)argument;
    data = 1;
    thrd_exit(7);
}

/* expect: verified
 * executions: 1
 * thrd_exit sets the result of the thread. */
PROGRAM(c11_exit) {
    int result = 0;
    thrd_t thread;
    thrd_create(&thread, leave_early, NULL);
    thrd_join(thread, &result);
    assert(result == 7 && data == 1);
    return 0;
}

/* expect: bug sync-misuse
 * A detached thread must not be joined (7.26.5.6). */
PROGRAM(c11_join_after_detach) {
    thrd_t thread;
    thrd_create(&thread, leave_early, NULL);
    GIVES(thrd_success, thrd_detach(thread));
    thrd_join(thread, NULL);
    return 0;
}

/* expect: verified
 * executions: 1
 * Identity, yield and sleep. thrd_sleep returns 0 when its time is over. */
PROGRAM(c11_identity) {
    struct timespec pause = {0, 1000};
    assert(thrd_equal(thrd_current(), thrd_current()));
    thrd_yield();
    GIVES(0, thrd_sleep(&pause, NULL));
    return 0;
}

static thread_local int own = 1;

static int change_own(void *argument) {
    (void)argument;
    own++;
    assert(own == 2);
    return 0;
}

/* expect: verified
 * executions: 1
 * Each thread has its own copy of a thread_local variable. */
PROGRAM(c11_thread_local) {
    both_threads(change_own, change_own);
    assert(own == 1);
    return 0;
}
