/* ending.c - the end of a program: exit, handlers, return from main, and threads that are still
 * there. */
#include "corner.h"
#include <stdatomic.h>
#include <unistd.h>

static int data, order[4], ordered;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
    order[ordered++] = 1;
    assert(ordered == 2);
}

static void second(void) {
    order[ordered++] = 2;
    assert(ordered == 1);
}

/* expect: verified
 * executions: 1
 * Handlers of atexit run in the reverse order. */
PROGRAM(end_handlers_in_reverse) {
    OK(atexit(first));
    OK(atexit(second));
    return 0;
}

/* expect: bug nonzero-exit
 * main returns a status other than 0. */
PROGRAM(end_with_status) {
    return 3;
}

static void exit_again(void) {
    _exit(0);
}

/* expect: verified
 * executions: 1
 * _exit in a handler decides the status. */
PROGRAM(end_status_of_a_handler) {
    OK(atexit(exit_again));
    return 3;
}

/* expect: verified
 * executions: 1
 * _exit runs no handlers. */
PROGRAM(end_without_handlers) {
    OK(atexit(abort));
    _exit(0);
}

/* expect: bug assertion
 * A handler of exit aborts. */
PROGRAM(end_abort_in_a_handler) {
    OK(atexit(abort));
    return 0;
}

THREAD(exit_zero) {
    exit(0);
}

/* expect: verified
 * exit from a thread ends the program, even if other threads wait. */
PROGRAM(end_by_a_thread) {
    OK(pthread_mutex_lock(&mutex));
    pthread_t thread = spawn(exit_zero, NULL);
    join(thread);
    assert(0);
    return 0;
}

THREAD(store_flag) {
    atomic_store(&flag, 1);
    return NULL;
}

static void look_at_flag(void) {
    if (atomic_load(&flag)) {
        _exit(4);
    }
}

/* expect: bug nonzero-exit
 * A detached thread may still run while the handlers run, so it may set the flag before the
 * handler tests it. */
PROGRAM(end_thread_moves_meanwhile) {
    OK(atexit(look_at_flag));
    OK(pthread_detach(spawn(store_flag, NULL)));
    return 0;
}

static void write_data(void) {
    data = 1;
}

THREAD(write_data_too) {
    data = 2;
    return NULL;
}

/* expect: bug data-race
 * A handler of exit races with a thread that main did not join. */
PROGRAM(end_handler_races) {
    OK(atexit(write_data));
    OK(pthread_detach(spawn(write_data_too, NULL)));
    return 0;
}

/* expect: verified
 * executions: 1
 * After a join, the handler does not race with the thread. */
PROGRAM(end_handler_after_join) {
    OK(atexit(write_data));
    join(spawn(write_data_too, NULL));
    return 0;
}

static char *block;

static void free_block(void) {
    free(block);
}

THREAD(use_block) {
    OK(pthread_mutex_lock(&mutex));
    block[0] = 1;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

static void locked_free(void) {
    pthread_mutex_lock(&mutex);
    free_block();
    pthread_mutex_unlock(&mutex);
}

/* expect: bug heap-misuse
 * A handler frees a block that a thread may still use. */
PROGRAM(end_frees_what_is_used) {
    block = malloc(4);
    OK(atexit(locked_free));
    OK(pthread_detach(spawn(use_block, NULL)));
    return 0;
}

static void lock_at_exit(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

THREAD(exit_with_lock) {
    OK(pthread_mutex_lock(&mutex));
    exit(0);
}

/* expect: bug deadlock
 * A thread calls exit while it holds the mutex that a handler locks. */
PROGRAM(end_handler_locks) {
    OK(atexit(lock_at_exit));
    join(spawn(exit_with_lock, NULL));
    return 0;
}

static void add_another(void) {
    OK(atexit(write_data));
}

static void data_is_written(void) {
    assert(data == 1);
}

/* expect: verified
 * executions: 1
 * A handler that another handler registers still runs, before older ones. */
PROGRAM(end_handler_registers_another) {
    OK(atexit(data_is_written));
    OK(atexit(add_another));
    return 0;
}

static void with_argument(int status, void *argument) {
    assert(status == 0 && argument == &data);
    data = 1;
}

/* expect: verified
 * executions: 1
 * A handler of on_exit receives the status and its argument. */
PROGRAM(end_on_exit) {
    OK(atexit(data_is_written));
    OK(on_exit(with_argument, &data));
    return 0;
}

THREAD(last_to_end) {
    OK(pthread_mutex_lock(&mutex));
    data = 1;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * main ends by pthread_exit, so the last thread runs the handlers. By then the data is written. */
PROGRAM(end_by_the_last_thread) {
    OK(atexit(data_is_written));
    OK(pthread_detach(spawn(last_to_end, NULL)));
    pthread_exit(NULL);
}

/* expect: bug assertion
 * An assertion fails. */
PROGRAM(end_by_assertion) {
    assert(getenv("NO SUCH VARIABLE") != NULL);
    return 0;
}
