/* mixtures.c - two features at once: recursive mutexes with condition variables, cancellation with
 * waits, threads that end inside a routine of pthread_once. */
#include "corner.h"
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t semaphore;
static int data, ready, ran;
static atomic_int flag;

THREAD(wait_with_recursive_locked_twice) {
    OK(pthread_mutex_lock(&recursive));
    OK(pthread_mutex_lock(&recursive));
    while (!ready) {
        OK(pthread_cond_wait(&cond, &recursive));
    }
    OK(pthread_mutex_unlock(&recursive));
    OK(pthread_mutex_unlock(&recursive));
    return NULL;
}

THREAD(set_ready_recursive) {
    OK(pthread_mutex_lock(&recursive));
    ready = 1;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&recursive));
    return NULL;
}

/* expect: bug sync-misuse
 * A wait unlocks its mutex once. A recursive mutex that was locked twice stays locked, so that
 * no thread can make the predicate true (the application usage of pthread_cond_wait warns of
 * this). */
PROGRAM(mixed_wait_with_a_recursive_mutex_locked_twice) {
    both(wait_with_recursive_locked_twice, set_ready_recursive);
    return 0;
}

THREAD(wait_with_recursive) {
    OK(pthread_mutex_lock(&recursive));
    while (!ready) {
        OK(pthread_cond_wait(&cond, &recursive));
    }
    OK(pthread_mutex_unlock(&recursive));
    return NULL;
}

/* expect: verified
 * A wait with a recursive mutex that is locked once works. */
PROGRAM(mixed_wait_with_a_recursive_mutex) {
    both(wait_with_recursive, set_ready_recursive);
    return 0;
}

static struct timespec in_a_second(void) {
    struct timespec time;
    OK(clock_gettime(CLOCK_REALTIME, &time));
    time.tv_sec++;
    return time;
}

/* expect: verified
 * executions: 1
 * A timed lock by the owner returns EDEADLK for an error-checking mutex, and counts one more for
 * a recursive one. */
PROGRAM(mixed_timed_lock_of_ones_own) {
    struct timespec deadline = in_a_second();
    OK(pthread_mutex_lock(&checking));
    GIVES(EDEADLK, pthread_mutex_timedlock(&checking, &deadline));
    OK(pthread_mutex_unlock(&checking));
    OK(pthread_mutex_lock(&recursive));
    OK(pthread_mutex_timedlock(&recursive, &deadline));
    OK(pthread_mutex_unlock(&recursive));
    OK(pthread_mutex_unlock(&recursive));
    GIVES(EPERM, pthread_mutex_unlock(&recursive));
    return 0;
}

THREAD(wait_for_semaphore) {
    sem_wait(&semaphore);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A wait by a thread that does not own its error-checking mutex returns EPERM. */
PROGRAM(mixed_wait_without_owning_an_errorcheck_mutex) {
    GIVES(EPERM, pthread_cond_wait(&cond, &checking));
    return 0;
}

/* expect: bug sync-misuse
 * The semaphore is destroyed while a thread may be blocked on it. */
PROGRAM(mixed_semaphore_destroyed_while_waited_for) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(wait_for_semaphore, NULL);
    sem_destroy(&semaphore);
    join(thread);
    return 0;
}

static void exit_inside(void) {
    if (ran++ == 0) {
        pthread_exit(NULL);
    }
    data = 4;
}

THREAD(run_once) {
    pthread_once(&once, exit_inside);
    return NULL;
}

/* expect: verified
 * executions: 1
 * If the routine of pthread_once ends its thread, it counts as not called. */
PROGRAM(mixed_thread_ends_inside_once) {
    join(spawn(run_once, NULL));
    join(spawn(run_once, NULL));
    assert(ran == 2 && data == 4);
    return 0;
}

static void make_a_thread(void *value) {
    (void)value;
    if (atomic_fetch_add(&flag, 1) == 0) {
        join(spawn(wait_for_semaphore, NULL));
    }
}

THREAD(set_key) {
    OK(pthread_setspecific(key, &data));
    return NULL;
}

/* expect: verified
 * A destructor of a key creates and joins a thread. */
PROGRAM(mixed_thread_made_by_a_destructor) {
    OK(sem_init(&semaphore, 0, 0));
    OK(pthread_key_create(&key, make_a_thread));
    pthread_t thread = spawn(set_key, NULL);
    OK(sem_post(&semaphore));
    join(thread);
    assert(flag == 1);
    return 0;
}

static void thread_at_exit(void) {
    join(spawn(set_key, NULL));
    if (data != 0) {
        _Exit(1);
    }
}

/* expect: verified
 * executions: 1
 * A handler of exit creates and joins a thread. */
PROGRAM(mixed_thread_made_at_exit) {
    OK(pthread_key_create(&key, NULL));
    OK(atexit(thread_at_exit));
    return 0;
}

THREAD(spin_by_trylock) {
    while (pthread_mutex_trylock(&mutex) != 0) {
    }
    data++;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * The threads spin with trylock until they get the mutex. */
PROGRAM(mixed_spinning_by_trylock) {
    both(spin_by_trylock, spin_by_trylock);
    assert(data == 2);
    return 0;
}

/* expect: bug livelock
 * A thread spins with trylock for a mutex that main holds and never releases. */
PROGRAM(mixed_spinning_by_trylock_for_ever) {
    OK(pthread_mutex_lock(&mutex));
    pthread_t thread = spawn(spin_by_trylock, NULL);
    join(thread);
    return 0;
}

static void release_mutex(void *argument) {
    (void)argument;
    OK(pthread_mutex_unlock(&mutex));
}

THREAD(wait_cancellable) {
    OK(pthread_mutex_lock(&mutex));
    pthread_cleanup_push(release_mutex, NULL);
    while (!ready) {
        pthread_cond_wait(&cond, &mutex);
    }
    ready = 0;
    pthread_cleanup_pop(1);
    return argument;
}

/* expect: verified
 * POSIX: a thread that is cancelled in a wait does not consume a signal that could have woken
 * another waiter. So the other waiter always goes on. */
PROGRAM(mixed_cancelled_waiter_takes_no_signal) {
    pthread_t cancelled = spawn(wait_cancellable, NULL), other = spawn(wait_cancellable, &data);
    OK(pthread_cancel(cancelled));
    join(cancelled);
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    assert(join(other) == &data);
    return 0;
}

/* expect: verified
 * A timed wait whose deadline has passed returns ETIMEDOUT, and the mutex is locked again. */
PROGRAM(mixed_wait_with_a_past_deadline) {
    struct timespec past = {0, 0};
    OK(pthread_mutex_lock(&mutex));
    GIVES(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &past));
    GIVES(EBUSY, pthread_mutex_trylock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

THREAD(jump_over_lock) {
    jmp_buf place;
    if (setjmp(place) == 0) {
        OK(pthread_mutex_lock(&mutex));
        longjmp(place, 1);
    }
    return NULL;
}

/* expect: bug leaked-lock
 * longjmp skips the unlock. */
PROGRAM(mixed_longjmp_over_an_unlock) {
    join(spawn(jump_over_lock, NULL));
    return 0;
}

static void handler_posts(int number) {
    (void)number;
    sem_post(&semaphore);
}

/* expect: verified
 * executions: 1
 * sem_post may be called in a signal handler. */
PROGRAM(mixed_post_in_a_handler) {
    OK(sem_init(&semaphore, 0, 0));
    signal(SIGUSR1, handler_posts);
    OK(raise(SIGUSR1));
    OK(sem_wait(&semaphore));
    return 0;
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

THREAD(read_for_writer) {
    OK(pthread_rwlock_rdlock(&lock));
    sem_post(&semaphore);
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* expect: bug deadlock
 * A writer waits for a post by a reader that cannot get the lock. */
PROGRAM(mixed_writer_waits_for_a_reader) {
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(read_for_writer, NULL);
    OK(pthread_rwlock_wrlock(&lock));
    sem_wait(&semaphore);
    OK(pthread_rwlock_unlock(&lock));
    join(thread);
    return 0;
}

static pthread_t victim;

THREAD(join_victim) {
    OK(pthread_mutex_lock(&mutex));
    pthread_join(victim, NULL);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(need_mutex) {
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug deadlock
 * A thread joins another one while it holds a mutex that the other one needs. */
PROGRAM(mixed_join_under_a_mutex) {
    victim = spawn(need_mutex, NULL);
    join(spawn(join_victim, NULL));
    return 0;
}

THREAD(free_mutex) {
    pthread_mutex_t *heap = argument;
    OK(pthread_mutex_lock(heap));
    OK(pthread_mutex_unlock(heap));
    return NULL;
}

/* expect: verified
 * A mutex may be destroyed, and its memory freed, as soon as it is unlocked and no thread will
 * use it again. */
PROGRAM(mixed_mutex_in_the_heap) {
    pthread_mutex_t *heap = malloc(sizeof *heap);
    OK(pthread_mutex_init(heap, NULL));
    pthread_t thread = spawn(free_mutex, heap);
    free_mutex(heap);
    join(thread);
    OK(pthread_mutex_destroy(heap));
    free(heap);
    return 0;
}
