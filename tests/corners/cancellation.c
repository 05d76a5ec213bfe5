/* cancellation.c - pthread_cancel, its states and types, and cleanup handlers. */
#include "corner.h"
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int data, cleaned, order[4], ordered;
static atomic_int flag;

static void clean(void *argument) {
    (void)argument;
    cleaned++;
}

static void release(void *argument) {
    OK(pthread_mutex_unlock(argument));
}

THREAD(wait_for_ever) {
    OK(pthread_mutex_lock(&mutex));
    pthread_cleanup_push(release, &mutex);
    for (;;) {
        pthread_cond_wait(&cond, &mutex);
    }
    pthread_cleanup_pop(1);
    return NULL;
}

/* expect: verified
 * pthread_cond_wait is a cancellation point. The mutex is locked again before the handlers run. */
PROGRAM(cancel_of_a_wait) {
    pthread_t thread = spawn(wait_for_ever, NULL);
    OK(pthread_cancel(thread));
    assert(join(thread) == PTHREAD_CANCELED);
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

THREAD(wait_for_ever_without_handler) {
    OK(pthread_mutex_lock(&mutex));
    for (;;) {
        pthread_cond_wait(&cond, &mutex);
    }
    return NULL;
}

/* expect: bug leaked-lock
 * Without a handler the thread ends with the mutex locked. */
PROGRAM(cancel_of_a_wait_without_handler) {
    pthread_t thread = spawn(wait_for_ever_without_handler, NULL);
    OK(pthread_cancel(thread));
    join(thread);
    pthread_mutex_lock(&mutex);
    return 0;
}

THREAD(lock_for_ever) {
    OK(pthread_mutex_lock(&mutex));
    data = 1;
    OK(pthread_mutex_unlock(&mutex));
    return argument;
}

/* expect: bug deadlock
 * pthread_mutex_lock is not a cancellation point, so the thread goes on waiting. */
PROGRAM(cancel_of_a_lock_does_nothing) {
    OK(pthread_mutex_lock(&mutex));
    pthread_t thread = spawn(lock_for_ever, NULL);
    OK(pthread_cancel(thread));
    join(thread);
    return 0;
}

/* expect: verified
 * The thread has no cancellation point at all, so it returns as usual. */
PROGRAM(cancel_without_a_point) {
    pthread_t thread = spawn(lock_for_ever, &data);
    OK(pthread_cancel(thread));
    assert(join(thread) == &data);
    assert(data == 1);
    return 0;
}

THREAD(test_for_it) {
    pthread_testcancel();
    return argument;
}

/* expect: bug assertion
 * The request may come after the test. */
PROGRAM(cancel_comes_too_late) {
    pthread_t thread = spawn(test_for_it, NULL);
    OK(pthread_cancel(thread));
    assert(join(thread) == PTHREAD_CANCELED);
    return 0;
}

/* expect: bug assertion
 * The request may come before the test. */
PROGRAM(cancel_comes_in_time) {
    pthread_t thread = spawn(test_for_it, &data);
    OK(pthread_cancel(thread));
    assert(join(thread) == &data);
    return 0;
}

THREAD(disabled) {
    int old;
    OK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    assert(old == PTHREAD_CANCEL_ENABLE);
    OK(sem_post(&semaphore));
    pthread_testcancel();
    return argument;
}

/* expect: verified
 * Nothing happens while cancellation is disabled. */
PROGRAM(cancel_disabled) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(disabled, &data);
    OK(sem_wait(&semaphore));
    OK(pthread_cancel(thread));
    assert(join(thread) == &data);
    return 0;
}

THREAD(disabled_then_enabled) {
    OK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL));
    OK(sem_post(&semaphore));
    while (!atomic_load(&flag)) {
    }
    data = 1;
    OK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL));
    pthread_testcancel();
    data = 2;
    return NULL;
}

/* expect: verified
 * The request is kept until cancellation is enabled. */
PROGRAM(cancel_kept_pending) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(disabled_then_enabled, NULL);
    OK(sem_wait(&semaphore));
    OK(pthread_cancel(thread));
    atomic_store(&flag, 1);
    assert(join(thread) == PTHREAD_CANCELED);
    assert(data == 1);
    return 0;
}

static void note(void *number) {
    order[ordered++] = *(int *)number;
}

static int numbers[] = {1, 2, 3};

THREAD(push_three) {
    pthread_cleanup_push(note, &numbers[0]);
    pthread_cleanup_push(note, &numbers[1]);
    pthread_cleanup_push(note, &numbers[2]);
    OK(pthread_cancel(pthread_self()));
    pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Cleanup handlers run in the reverse order of their registration. */
PROGRAM(cancel_handlers_in_reverse) {
    join(spawn(push_three, NULL));
    assert(ordered == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
    return 0;
}

THREAD(exit_with_handlers) {
    pthread_cleanup_push(clean, NULL);
    pthread_exit(&data);
    pthread_cleanup_pop(0);
    return NULL;
}

/* expect: verified
 * executions: 1
 * pthread_exit runs the cleanup handlers too. */
PROGRAM(cancel_handlers_at_pthread_exit) {
    assert(join(spawn(exit_with_handlers, NULL)) == &data);
    assert(cleaned == 1);
    return 0;
}

THREAD(pop_both_ways) {
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_pop(0);
    assert(cleaned == 0);
    pthread_cleanup_push(clean, NULL);
    pthread_cleanup_pop(1);
    assert(cleaned == 1);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A handler that is popped runs only if the pop asks for it, and does not run again at the end
 * of the thread. */
PROGRAM(cancel_handlers_popped) {
    join(spawn(pop_both_ways, NULL));
    assert(cleaned == 1);
    return 0;
}

static pthread_key_t key;

static void handlers_first(void *value) {
    (void)value;
    assert(cleaned == 1);
    cleaned++;
}

THREAD(cancel_with_key) {
    OK(pthread_setspecific(key, &data));
    return exit_with_handlers(argument);
}

/* expect: verified
 * executions: 1
 * Cleanup handlers run before the destructors of keys. */
PROGRAM(cancel_handlers_before_destructors) {
    OK(pthread_key_create(&key, handlers_first));
    join(spawn(cancel_with_key, NULL));
    assert(cleaned == 2);
    return 0;
}

THREAD(wait_for_semaphore) {
    pthread_cleanup_push(clean, NULL);
    OK(sem_wait(&semaphore));
    pthread_cleanup_pop(0);
    return argument;
}

/* expect: verified
 * sem_wait is a cancellation point. No thread posts, so only the cancellation can end the wait. */
PROGRAM(cancel_of_sem_wait) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(wait_for_semaphore, NULL);
    OK(pthread_cancel(thread));
    assert(join(thread) == PTHREAD_CANCELED && cleaned == 1);
    return 0;
}

THREAD(join_the_main_thread) {
    pthread_join(*(pthread_t *)argument, NULL);
    return NULL;
}

/* expect: verified
 * pthread_join is a cancellation point too. A cancelled join leaves its target joinable. */
PROGRAM(cancel_of_join) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t target = spawn(wait_for_semaphore, NULL);
    pthread_t joiner = spawn(join_the_main_thread, &target);
    OK(pthread_cancel(joiner));
    assert(join(joiner) == PTHREAD_CANCELED);
    OK(sem_post(&semaphore));
    join(target);
    return 0;
}

static pthread_barrier_t barrier;

THREAD(wait_at_barrier) {
    pthread_barrier_wait(&barrier);
    return argument;
}

/* expect: bug deadlock
 * pthread_barrier_wait is not a cancellation point. */
PROGRAM(cancel_of_barrier_does_nothing) {
    OK(pthread_barrier_init(&barrier, NULL, 2));
    pthread_t thread = spawn(wait_at_barrier, NULL);
    OK(pthread_cancel(thread));
    join(thread);
    return 0;
}

THREAD(asynchronous) {
    int old;
    OK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
    assert(old == PTHREAD_CANCEL_DEFERRED);
    for (;;) {
        atomic_load(&flag);
    }
    return NULL;
}

/* expect: verified
 * An asynchronous cancellation ends even a loop without any cancellation point. */
PROGRAM(cancel_asynchronously) {
    pthread_t thread = spawn(asynchronous, NULL);
    OK(pthread_cancel(thread));
    assert(join(thread) == PTHREAD_CANCELED);
    return 0;
}

THREAD(deferred_loop) {
    for (;;) {
        if (atomic_load(&flag)) {
            break;
        }
    }
    return NULL;
}

/* expect: bug livelock
 * With deferred cancellation, the loop has no cancellation point at which it could end, and no
 * thread sets the flag. */
PROGRAM(cancel_deferred_never_acts) {
    pthread_t thread = spawn(deferred_loop, NULL);
    OK(pthread_cancel(thread));
    join(thread);
    return 0;
}

THREAD(write_unlocked) {
    pthread_cleanup_push(clean, NULL);
    pthread_testcancel();
    cleaned = 5;
    pthread_cleanup_pop(0);
    return NULL;
}

/* expect: bug data-race
 * The handler runs in the cancelled thread. The request does not order it against the thread
 * that sent the request. */
PROGRAM(cancel_orders_nothing) {
    pthread_t thread = spawn(write_unlocked, NULL);
    OK(pthread_cancel(thread));
    cleaned = 7;
    join(thread);
    return 0;
}

THREAD(sleep_a_day) {
    sleep(86400);
    return argument;
}

/* expect: verified
 * sleep is a cancellation point. The request may come before or after the end of the sleep. */
PROGRAM(cancel_of_sleep) {
    pthread_t thread = spawn(sleep_a_day, &data);
    OK(pthread_cancel(thread));
    void *result = join(thread);
    assert(result == PTHREAD_CANCELED || result == &data);
    return 0;
}

/* expect: bug assertion
 * documented: So a test that relies on sleeping is shown to be wrong.
 * The sleep may be over before the request comes. */
PROGRAM(cancel_of_sleep_may_be_late) {
    pthread_t thread = spawn(sleep_a_day, &data);
    OK(pthread_cancel(thread));
    assert(join(thread) == PTHREAD_CANCELED);
    return 0;
}

static void tell(void *value) {
    (void)value;
    OK(sem_post(&semaphore));
}

THREAD(tell_at_the_end) {
    OK(pthread_setspecific(key, &data));
    return argument;
}

/* expect: verified
 * A thread that runs its destructors already has its result, so a cancellation changes nothing. */
PROGRAM(cancel_of_an_ending_thread) {
    OK(sem_init(&semaphore, 0, 0));
    OK(pthread_key_create(&key, tell));
    pthread_t thread = spawn(tell_at_the_end, &data);
    OK(sem_wait(&semaphore));
    OK(pthread_cancel(thread));
    assert(join(thread) == &data);
    return 0;
}

THREAD(use_after_cancel) {
    OK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL));
    free(argument);
    return NULL;
}

/* expect: bug heap-misuse
 * The thread may be cancelled before it frees the block, or not. So main may free the block a
 * second time. */
PROGRAM(cancel_and_free) {
    void *block = malloc(4);
    pthread_t thread = spawn(use_after_cancel, block);
    OK(pthread_cancel(thread));
    join(thread);
    free(block);
    return 0;
}
