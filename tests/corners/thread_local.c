/* thread_local.c - thread-local variables: _Thread_local and __thread. */
#include "corner.h"
#include <semaphore.h>

static _Thread_local int own = 3;
static __thread char large[4096];
static int *pointer, data;
static sem_t ready, done;

THREAD(change_own) {
    assert(own == 3);
    own++;
    assert(own == 4);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Each thread has its own copy with the initial value. Nothing is shared, so there is one order. */
PROGRAM(local_is_ones_own) {
    own = 9;
    both(change_own, change_own);
    assert(own == 9);
    return 0;
}

THREAD(lend_own) {
    pointer = &own;
    OK(sem_post(&ready));
    OK(sem_wait(&done));
    assert(own == 5);
    return NULL;
}

/* expect: verified
 * Another thread may use the variable by its address while its thread lives, if the accesses are
 * ordered. */
PROGRAM(local_lent) {
    OK(sem_init(&ready, 0, 0));
    OK(sem_init(&done, 0, 0));
    pthread_t thread = spawn(lend_own, NULL);
    OK(sem_wait(&ready));
    *pointer = 5;
    OK(sem_post(&done));
    join(thread);
    return 0;
}

THREAD(lend_and_use) {
    pointer = &own;
    OK(sem_post(&ready));
    own++;
    OK(sem_wait(&done));
    return NULL;
}

/* expect: bug data-race
 * Both threads use the variable at once. */
PROGRAM(local_raced_for) {
    OK(sem_init(&ready, 0, 0));
    OK(sem_init(&done, 0, 0));
    pthread_t thread = spawn(lend_and_use, NULL);
    OK(sem_wait(&ready));
    *pointer = 5;
    OK(sem_post(&done));
    join(thread);
    return 0;
}

THREAD(large_is_clear) {
    for (unsigned i = 0; i < sizeof large; i++) {
        assert(large[i] == 0);
    }
    memset(large, 1, sizeof large);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A new thread finds its variables with their initial values, even if an earlier thread has used
 * their memory. */
PROGRAM(local_is_fresh) {
    join(spawn(large_is_clear, NULL));
    join(spawn(large_is_clear, NULL));
    return 0;
}

THREAD(set_errno) {
    errno = 5;
    data = 0;
    assert(errno == 5);
    return NULL;
}

/* expect: verified
 * executions: 1
 * Each thread has its own errno. */
PROGRAM(local_errno) {
    errno = 7;
    join(spawn(set_errno, NULL));
    assert(errno == 7);
    return 0;
}

THREAD(leave_pointer) {
    pointer = &own;
    return NULL;
}

/* expect: bug heap-misuse
 * The variable is used after the end of its thread, which ended its lifetime. */
PROGRAM(local_outlives_its_thread) {
    join(spawn(leave_pointer, NULL));
    return *pointer == 1;
}

static int *stack_pointer;

THREAD(lend_stack) {
    int local = 1;
    stack_pointer = &local;
    OK(sem_post(&ready));
    OK(sem_wait(&done));
    assert(local == 2);
    return NULL;
}

/* expect: verified
 * Another thread may use a variable of the stack too, if the accesses are ordered. */
PROGRAM(stack_lent) {
    OK(sem_init(&ready, 0, 0));
    OK(sem_init(&done, 0, 0));
    pthread_t thread = spawn(lend_stack, NULL);
    OK(sem_wait(&ready));
    assert(*stack_pointer == 1);
    *stack_pointer = 2;
    OK(sem_post(&done));
    join(thread);
    return 0;
}

THREAD(write_argument) {
    *(int *)argument = 1;
    return NULL;
}

/* expect: bug data-race
 * Both threads write to a variable of the stack, and nothing orders the writes. */
PROGRAM(stack_raced_for) {
    int local = 0;
    pthread_t thread = spawn(write_argument, &local);
    local = 2;
    join(thread);
    return local > 2;
}

/* expect: verified
 * executions: 1
 * The join orders the accesses to a variable of the stack. */
PROGRAM(stack_joined) {
    int local = 0;
    join(spawn(write_argument, &local));
    assert(local == 1);
    return 0;
}
