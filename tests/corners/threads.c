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
 * The creation comes before all actions of the thread, and these come before the join. */
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
 * A thread must be joined only once. */
PROGRAM(thread_joined_twice) {
    pthread_t thread = spawn(write_data, NULL);
    join(thread);
    pthread_join(thread, NULL);
    return 0;
}

/* expect: bug sync-misuse
 * A detached thread cannot be joined. */
PROGRAM(thread_joined_after_detach) {
    pthread_t thread = spawn(write_data, NULL);
    OK(pthread_detach(thread));
    pthread_join(thread, NULL);
    return 0;
}

/* expect: bug sync-misuse
 * A detached thread must not be detached again. */
PROGRAM(thread_detached_twice) {
    pthread_t thread = spawn(write_data, NULL);
    OK(pthread_detach(thread));
    pthread_detach(thread);
    return 0;
}

/* expect: verified
 * executions: 1
 * In glibc, a thread that joins itself gets EDEADLK. */
PROGRAM(thread_joins_itself) {
    GIVES(EDEADLK, pthread_join(pthread_self(), NULL));
    return 0;
}

THREAD(join_shared) {
    pthread_join(shared, NULL);
    return NULL;
}

/* expect: bug sync-misuse
 * Two threads join the same thread. */
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
 * Three threads join each other in a circle. (glibc gives EDEADLK only to a thread that joins
 * itself and to a pair.) */
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
 * pthread_exit sets the result of the thread, and the code after it does not run. */
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
 * The program may end before or after a detached thread is done. */
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
 * Nothing orders the detached thread and main, so main's read races. */
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
 * main may end by pthread_exit and be joined. The program goes on until the last thread ends. */
PROGRAM(thread_main_exits_and_is_joined) {
    first_thread = pthread_self();
    OK(pthread_detach(spawn(after_main, NULL)));
    data = 3;
    pthread_exit(NULL);
}

/* expect: bug nonzero-exit
 * A thread calls exit with status 3. */
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
 * pthread_self in a thread is the identity that pthread_create stored, and differs from main's. */
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
 * POSIX does not promise that the identity is stored before the thread begins, but glibc does
 * so. */
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
 * The classic error: each thread gets the address of the loop variable. */
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
 * Each thread has an argument of its own. */
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
 * A chain of creations and joins orders all accesses. */
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
 * Any thread may join any other. The grandchild outlives its creator, and main joins it. */
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
 * tryjoin returns EBUSY before the end of the thread, and 0 after it. After a 0, everything is
 * ordered. */
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
 * The thread may have ended, or not. */
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
 * A yield does not release a lock, so there are two orders. */
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
 * A yield does not order the threads. */
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
 * The program ends while a detached thread waits. exit ends this thread, and that is no error. */
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
 * After main's pthread_exit, the program lasts until its last thread ends, and this thread never
 * ends. */
PROGRAM(thread_left_blocked_behind_main) {
    OK(pthread_detach(spawn(wait_for_never, NULL)));
    pthread_exit(NULL);
}
