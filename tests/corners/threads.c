/* threads.c - creation, join, detach, identity and the end of threads. */
#include "corner.h"
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static int data;
static atomic_int done;
static pthread_t shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

THREAD(write_data) {
    data = 1;
    return &data;
}

/* expect: verified
 * executions: 1
 * The creation comes before the thread, the thread before the join. */
PROGRAM(thread_creation_and_join_order) {
    data = 5;
    pthread_t thread = spawn(write_data, NULL);
    assert(join(thread) == &data && data == 1);
    data = 2;
    return 0;
}

/* expect: bug data-race
 * Between creation and join nothing is ordered. */
PROGRAM(thread_race_before_join) {
    pthread_t thread = spawn(write_data, NULL);
    data = 2;
    join(thread);
    return 0;
}

/* expect: bug sync-misuse
 * A thread may be joined once. */
PROGRAM(thread_joined_twice) {
    pthread_t thread = spawn(write_data, NULL);
    join(thread);
    pthread_join(thread, NULL);
    return 0;
}

/* expect: bug sync-misuse
 * A detached thread is not joinable. */
PROGRAM(thread_joined_after_detach) {
    pthread_t thread = spawn(write_data, NULL);
    OK(pthread_detach(thread));
    pthread_join(thread, NULL);
    return 0;
}

/* expect: bug sync-misuse
 * Nor may it be detached again. */
PROGRAM(thread_detached_twice) {
    pthread_t thread = spawn(write_data, NULL);
    OK(pthread_detach(thread));
    pthread_detach(thread);
    return 0;
}

/* expect: verified
 * executions: 1
 * glibc says EDEADLK to a thread that joins itself. */
PROGRAM(thread_joins_itself) {
    GIVES(EDEADLK, pthread_join(pthread_self(), NULL));
    return 0;
}

THREAD(join_shared) {
    pthread_join(shared, NULL);
    return NULL;
}

/* expect: bug sync-misuse
 * Two threads join the same one. */
PROGRAM(thread_joined_by_two) {
    shared = spawn(write_data, NULL);
    both(join_shared, join_shared);
    return 0;
}

static pthread_t first_thread;

THREAD(join_main) {
    pthread_join(first_thread, NULL);
    return NULL;
}

/* expect: bug deadlock
 * Three threads that join each other in a circle. (glibc gives EDEADLK to itself and to a pair, no more.) */
PROGRAM(thread_join_cycle_of_three) {
    first_thread = pthread_self();
    pthread_t middle;
    shared = spawn(join_main, NULL);
    middle = spawn(join_shared, NULL);
    pthread_join(middle, NULL);
    return 0;
}

THREAD(exit_in_the_middle) {
    data = 1;
    pthread_exit((void *)4);
    data = 2;
    return NULL;
}

/* expect: verified
 * executions: 1
 * pthread_exit gives the result, and what follows does not run. */
PROGRAM(thread_exit_result) {
    assert(join(spawn(exit_in_the_middle, NULL)) == (void *)4);
    assert(data == 1);
    return 0;
}

THREAD(set_done) {
    atomic_store(&done, 1);
    return NULL;
}

/* expect: verified
 * A detached thread may or may not come before the end of the program. */
PROGRAM(thread_detached) {
    OK(pthread_detach(spawn(set_done, NULL)));
    return 0;
}

/* expect: bug assertion
 * The program may end before the detached thread is done. */
PROGRAM(thread_detached_may_be_late) {
    OK(pthread_detach(spawn(set_done, NULL)));
    assert(atomic_load(&done) == 1);
    return 0;
}

/* expect: bug data-race
 * Detached: nothing orders it before the end. The read of main races. */
PROGRAM(thread_detached_race) {
    OK(pthread_detach(spawn(write_data, NULL)));
    assert(data == 0 || data == 1);
    return 0;
}

THREAD(detach_oneself) {
    OK(pthread_detach(pthread_self()));
    atomic_store(&done, 1);
    return NULL;
}

/* expect: verified
 * A thread may detach itself. */
PROGRAM(thread_detaches_itself) {
    spawn(detach_oneself, NULL);
    while (!atomic_load(&done)) {
    }
    return 0;
}

THREAD(after_main) {
    pthread_join(first_thread, NULL);
    assert(data == 3);
    exit(0);
}

/* expect: verified
 * main may end by pthread_exit, and be joined; the program goes on until the last thread ends. */
PROGRAM(thread_main_exits_and_is_joined) {
    first_thread = pthread_self();
    OK(pthread_detach(spawn(after_main, NULL)));
    data = 3;
    pthread_exit(NULL);
}

/* expect: bug nonzero-exit
 * The last thread ends the program with 0, whatever main thought; here the thread exits with 3 first. */
PROGRAM(thread_exits_the_program) {
    pthread_t thread = spawn((void *(*)(void *))(void (*)(void))exit, (void *)3);
    join(thread);
    return 0;
}

THREAD(own_identity) {
    *(pthread_t *)argument = pthread_self();
    return NULL;
}

/* expect: verified
 * executions: 1
 * pthread_self in the thread is what pthread_create stored, and differs from main's. */
PROGRAM(thread_identity) {
    pthread_t inside, thread = spawn(own_identity, &inside);
    join(thread);
    assert(pthread_equal(thread, inside) && !pthread_equal(thread, pthread_self()));
    return 0;
}

THREAD(read_own_handle) {
    assert(pthread_equal(shared, pthread_self()));
    return NULL;
}

/* expect: verified
 * documented: **The identity of a thread** is stored before the thread begins
 * POSIX does not promise that; glibc does it. */
PROGRAM(thread_reads_the_handle_of_its_creator) {
    OK(pthread_create(&shared, NULL, read_own_handle, NULL));
    join(shared);
    return 0;
}

static int arguments[2];

THREAD(read_argument) {
    assert(*(int *)argument == 1);
    return NULL;
}

/* expect: bug data-race
 * The classic: each thread gets the address of the loop variable. */
PROGRAM(thread_argument_is_the_loop_variable) {
    pthread_t threads[2];
    static int i;
    for (i = 0; i < 2; i++) {
        OK(pthread_create(&threads[i], NULL, read_argument, &i));
    }
    join(threads[0]);
    join(threads[1]);
    return 0;
}

/* expect: verified
 * Each has its own. */
PROGRAM(thread_argument_of_its_own) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        arguments[i] = 1;
        OK(pthread_create(&threads[i], NULL, read_argument, &arguments[i]));
    }
    join(threads[0]);
    join(threads[1]);
    return 0;
}

THREAD(make_a_child) {
    join(spawn(write_data, NULL));
    assert(data == 1);
    data = 2;
    return NULL;
}

/* expect: verified
 * executions: 1
 * A chain of creations and joins. */
PROGRAM(thread_grandchild) {
    join(spawn(make_a_child, NULL));
    assert(data == 2);
    return 0;
}

THREAD(leave_a_child) {
    shared = spawn(write_data, NULL);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Any thread may join any other: the grandchild outlives its creator. */
PROGRAM(thread_grandchild_joined_by_main) {
    join(spawn(leave_a_child, NULL));
    join(shared);
    assert(data == 1);
    return 0;
}

/* expect: bug data-race
 * The join of the child does not wait for the grandchild. */
PROGRAM(thread_grandchild_not_joined) {
    join(spawn(leave_a_child, NULL));
    data = 7;
    join(shared);
    return 0;
}

/* expect: verified
 * tryjoin says EBUSY before the end, and 0 after it; behind a 0 all is ordered. */
PROGRAM(thread_tryjoin) {
    void *result = NULL;
    pthread_t thread = spawn(write_data, NULL);
    int joined = pthread_tryjoin_np(thread, &result);
    if (joined == 0) {
        assert(result == &data && data == 1);
    } else {
        assert(joined == EBUSY);
        join(thread);
    }
    return 0;
}

/* expect: bug assertion
 * It may have ended, or not. */
PROGRAM(thread_tryjoin_is_open) {
    pthread_t thread = spawn(write_data, NULL);
    int joined = pthread_tryjoin_np(thread, NULL);
    assert(joined == EBUSY);
    join(thread);
    return 0;
}

THREAD(yield_and_add) {
    OK(pthread_mutex_lock(&mutex));
    sched_yield();
    data++;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * executions: 2
 * Yielding orders nothing and gives nothing back. */
PROGRAM(thread_yields_under_a_lock) {
    both(yield_and_add, yield_and_add);
    assert(data == 2);
    return 0;
}

THREAD(yield_and_write) {
    sched_yield();
    data++;
    return NULL;
}

/* expect: bug data-race
 * As before. */
PROGRAM(thread_yield_orders_nothing) {
    both(yield_and_write, yield_and_write);
    return 0;
}

static pthread_mutex_t blocked = PTHREAD_MUTEX_INITIALIZER;

THREAD(wait_for_blocked) {
    pthread_mutex_lock(&blocked);
    return NULL;
}

/* expect: verified
 * The program ends while a detached thread waits: exit ends it wherever it is, and that is no error. */
PROGRAM(thread_left_blocked_at_exit) {
    OK(pthread_mutex_lock(&blocked));
    OK(pthread_detach(spawn(wait_for_blocked, NULL)));
    return 0;
}

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

THREAD(wait_for_never) {
    OK(pthread_mutex_lock(&mutex));
    for (;;) {
        pthread_cond_wait(&never, &mutex);
    }
    return NULL;
}

/* expect: bug blocked-forever
 * After pthread_exit of main the program lasts until its last thread ends, and that one never does. */
PROGRAM(thread_left_blocked_behind_main) {
    OK(pthread_detach(spawn(wait_for_never, NULL)));
    pthread_exit(NULL);
}
