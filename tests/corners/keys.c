/* keys.c - thread-specific data and its destructors. */
#include "corner.h"
#include <limits.h>

static pthread_key_t key, second;
static int destroyed, rounds, data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int one = 1;

static void count(void *value) {
    assert(value != NULL);
    OK(pthread_mutex_lock(&mutex));
    destroyed++;
    OK(pthread_mutex_unlock(&mutex));
}

THREAD(set_key) {
    assert(pthread_getspecific(key) == NULL);
    OK(pthread_setspecific(key, &one));
    assert(pthread_getspecific(key) == &one);
    return NULL;
}

/* expect: verified
 * Each thread has its own value, which is NULL at first. The destructor runs at the end of each
 * thread. */
PROGRAM(key_destructors_run) {
    OK(pthread_key_create(&key, count));
    both(set_key, set_key);
    assert(destroyed == 2);
    return 0;
}

THREAD(set_and_clear) {
    OK(pthread_setspecific(key, &one));
    OK(pthread_setspecific(key, NULL));
    return NULL;
}

/* expect: verified
 * executions: 1
 * The destructor does not run for a value of NULL. */
PROGRAM(key_null_has_no_destructor) {
    OK(pthread_key_create(&key, count));
    join(spawn(set_and_clear, NULL));
    assert(destroyed == 0);
    return 0;
}

static void set_again(void *value) {
    rounds++;
    OK(pthread_setspecific(key, value));
}

/* expect: verified
 * executions: 1
 * A destructor that sets the value again is called again, but at most
 * PTHREAD_DESTRUCTOR_ITERATIONS times (glibc). */
PROGRAM(key_destructor_iterations) {
    OK(pthread_key_create(&key, set_again));
    join(spawn(set_key, NULL));
    assert(rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}

static void value_is_cleared(void *value) {
    (void)value;
    assert(pthread_getspecific(key) == NULL);
    destroyed++;
}

/* expect: verified
 * executions: 1
 * The value is already NULL when the destructor is called. */
PROGRAM(key_cleared_before_destructor) {
    OK(pthread_key_create(&key, value_is_cleared));
    join(spawn(set_key, NULL));
    assert(destroyed == 1);
    return 0;
}

/* expect: verified
 * executions: 1
 * A return from main runs no destructors, because it calls exit and does not end the thread. */
PROGRAM(key_no_destructor_at_exit) {
    OK(pthread_key_create(&key, (void (*)(void *))abort));
    OK(pthread_setspecific(key, &one));
    return 0;
}

static void end_process(void *value) {
    (void)value;
    _Exit(3);
}

/* expect: bug nonzero-exit
 * If main ends by pthread_exit, its destructors run. */
PROGRAM(key_destructor_of_main_by_pthread_exit) {
    OK(pthread_key_create(&key, end_process));
    OK(pthread_setspecific(key, &one));
    pthread_exit(NULL);
}

/* expect: verified
 * executions: 1
 * Deleting a key calls no destructors, and the key cannot be used after that. */
PROGRAM(key_deleted) {
    OK(pthread_key_create(&key, count));
    OK(pthread_setspecific(key, &one));
    OK(pthread_key_delete(key));
    GIVES(EINVAL, pthread_key_delete(key));
    GIVES(EINVAL, pthread_setspecific(key, &one));
    assert(destroyed == 0);
    return 0;
}

static pthread_barrier_t barrier;

THREAD(set_key_and_linger) {
    OK(pthread_setspecific(key, &one));
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* expect: verified
 * If a key is deleted before the thread ends, its destructor does not run. */
PROGRAM(key_deleted_before_the_end) {
    OK(pthread_barrier_init(&barrier, NULL, 2));
    OK(pthread_key_create(&key, count));
    pthread_t thread = spawn(set_key_and_linger, NULL);
    pthread_barrier_wait(&barrier);
    OK(pthread_key_delete(key));
    pthread_barrier_wait(&barrier);
    join(thread);
    assert(destroyed == 0);
    return 0;
}

static void write_data(void *value) {
    (void)value;
    data = 1;
}

/* expect: verified
 * executions: 1
 * The destructor runs before the join returns. */
PROGRAM(key_destructor_before_join) {
    OK(pthread_key_create(&key, write_data));
    join(spawn(set_key, NULL));
    assert(data == 1);
    return 0;
}

/* expect: bug data-race
 * Destructors of two threads run at the same time. */
PROGRAM(key_destructors_race) {
    OK(pthread_key_create(&key, write_data));
    both(set_key, set_key);
    return 0;
}

THREAD(set_a_block) {
    OK(pthread_setspecific(key, malloc(8)));
    return NULL;
}

THREAD(set_the_argument) {
    OK(pthread_setspecific(key, argument));
    return NULL;
}

/* expect: verified
 * executions: 1
 * `free` can be a destructor. */
PROGRAM(key_freed_by_its_destructor) {
    OK(pthread_key_create(&key, free));
    both(set_a_block, set_a_block);
    return 0;
}

/* expect: bug heap-misuse
 * Two threads have the same block as their value, so it is freed twice. */
PROGRAM(key_freed_twice) {
    OK(pthread_key_create(&key, free));
    void *block = malloc(8);
    pthread_t first = spawn(set_the_argument, block), again = spawn(set_the_argument, block);
    join(first);
    join(again);
    return 0;
}

static void use_the_second(void *value) {
    (void)value;
    OK(pthread_setspecific(second, &one));
}

/* expect: verified
 * executions: 1
 * A destructor may set another key. The destructor of that key runs in this round or in the
 * next. */
PROGRAM(key_destructor_sets_another) {
    OK(pthread_key_create(&key, use_the_second));
    OK(pthread_key_create(&second, count));
    join(spawn(set_key, NULL));
    assert(destroyed == 1);
    return 0;
}

/* expect: verified
 * executions: 1
 * There are at most PTHREAD_KEYS_MAX keys. Then pthread_key_create returns EAGAIN. */
PROGRAM(key_too_many) {
    int made = 0, result;
    while ((result = pthread_key_create(&key, NULL)) == 0) {
        made++;
    }
    assert(result == EAGAIN && made <= PTHREAD_KEYS_MAX && made > 100);
    return 0;
}
