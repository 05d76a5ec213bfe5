/* random_program.c - a small random concurrent program over all operation kinds, made from a seed.
 *
 *     random_program SEED FILE      runs the program; its final state is added to the set in FILE
 *     random_program compare A B    0 if both files hold the same set
 *     random_program show SEED      prints the program in words
 *
 * After an exhaustive search, the set in FILE holds all reachable final states and failures, so
 * that two strategies can be compared. A final state is all shared values and what each task saw,
 * in its order. */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "outcome_set.h"

enum { TASKS_MAX = 3, LENGTH_MAX = 4, OBJECTS = 2, STEPS_MAX = 8 };

/* --- the program
 * -------------------------------------------------------------------------------- */

/* clang-format off */
#define KIND_NAMES(X) \
    X(LOAD) X(STORE) X(ADD) X(EXCHANGE) X(CAS) X(FENCE) X(VOLATILE_READ) X(VOLATILE_WRITE) \
    X(LOCKED) X(TRYLOCKED) X(TIMEDLOCKED) X(RECURSIVE) X(NESTED_LOCKS) X(READ_LOCKED) \
    X(WRITE_LOCKED) X(TRY_READ_LOCKED) X(TRY_WRITE_LOCKED) X(SPIN_LOCKED) X(SPIN_TRYLOCKED) \
    X(SEM_WAIT) X(SEM_POST) X(SEM_TRYWAIT) X(SEM_TIMEDWAIT) X(SEM_GETVALUE) X(COND_WAIT) \
    X(COND_TIMEDWAIT) X(COND_SIGNAL) X(COND_BROADCAST) X(BARRIER) X(ONCE) X(SEND) X(RECEIVE) \
    X(TRY_RECEIVE) X(RECEIVE_IF) X(CHOOSE) X(YIELD) X(SLEEP) X(ATOMIC) X(ASSERT) X(ASSUME) \
    X(SPAWN) X(SPAWN_DETACHED) X(TRYJOIN) X(TIMEDJOIN) X(ROBUST) X(CANCEL) X(AWAIT) X(KEY) X(C11) X(EXIT) \
    X(FUTEX_WAITS) X(FUTEX_TIMEDWAITS) X(FUTEX_WAKES)
/* clang-format on */
#define NAME(kind) kind,
enum kind { KIND_NAMES(NAME) KINDS };
#undef NAME

struct instruction {
    enum kind kind;
    int object;
    int value;
};

static struct instruction script[TASKS_MAX][LENGTH_MAX];
static int task_count, lengths[TASKS_MAX];

static atomic_int variables[OBJECTS];
static volatile int volatiles[OBJECTS];
static pthread_mutex_t mutexes[OBJECTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t robust[OBJECTS];
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlocks[OBJECTS] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t spinlock;
static pthread_cond_t conds[OBJECTS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[OBJECTS];
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static mtx_t c11_mutex;
static struct heddle_mailbox mailboxes[OBJECTS];
/* Each kind of lock guards its own data. Data that two kinds of locks guard would be a race, and
 * not an operation. */
enum { BY_MUTEX, BY_RECURSIVE, BY_RWLOCK, BY_SPINLOCK, BY_C11, GUARDS };
static int guarded[GUARDS][OBJECTS];
static int once_runs;

/* What each task saw. A child uses the slot of its parent, after the join. */
static uint64_t seen[TASKS_MAX];

static void see(int self, uint64_t value) {
    seen[self] = (seen[self] ^ (value + 17)) * 0x100000001b3u;
}

static void run_once(void) {
    once_runs++;
}

static bool odd(void *message, void *context) {
    (void)context;
    return (uintptr_t)message & 1;
}

static void *add_one(void *variable) {
    atomic_fetch_add((atomic_int *)variable, 1);
    return NULL;
}

static void *wait_for_cancel(void *variable) {
    atomic_fetch_add((atomic_int *)variable, 1);
    pthread_testcancel();
    atomic_fetch_add((atomic_int *)variable, 1);
    return NULL;
}

static const struct timespec soon = {.tv_sec = 1};

static void fail(int self, int at) {
    set_add(0xfa11u + (uint64_t)self * 64 + (uint64_t)at * 2);
    heddle_assert(!"the random program's own assertion");
}

static void atomics(int self, const struct instruction *i) {
    atomic_int *variable = &variables[i->object];
    int expected = i->value;
    switch (i->kind) {
    case LOAD: see(self, (uint64_t)atomic_load(variable)); break;
    case STORE: atomic_store(variable, i->value); break;
    case ADD: see(self, (uint64_t)atomic_fetch_add(variable, i->value)); break;
    case EXCHANGE: see(self, (uint64_t)atomic_exchange(variable, i->value)); break;
    case CAS: see(self, atomic_compare_exchange_strong(variable, &expected, 3)); break;
    case FENCE: atomic_thread_fence(memory_order_seq_cst); break;
    case VOLATILE_READ: see(self, (uint64_t)volatiles[i->object]); break;
    case VOLATILE_WRITE: volatiles[i->object] = i->value; break;
    case AWAIT:
        while (atomic_load(variable) == 0)
            ;
        break;
    default: abort();
    }
}

static void futexes(int self, const struct instruction *i) {
    atomic_int *word = &variables[i->object];
    bool timed = i->kind == FUTEX_TIMEDWAITS;
    long result = i->kind == FUTEX_WAKES
                      ? syscall(SYS_futex, word, FUTEX_WAKE, i->value + 1)
                      : syscall(SYS_futex, word, FUTEX_WAIT, i->value, timed ? &soon : NULL);
    see(self, (uint64_t)(result < 0 ? errno : result));
}

static void add_guarded(int self, int guard, const struct instruction *i) {
    guarded[guard][i->object] += i->value + 1;
    see(self, (uint64_t)guarded[guard][i->object]);
}

static void locks(int self, const struct instruction *i) {
    pthread_mutex_t *mutex = &mutexes[i->object];
    pthread_rwlock_t *rwlock = &rwlocks[i->object];
    int error = 0;
    switch (i->kind) {
    case LOCKED: pthread_mutex_lock(mutex); break;
    case TRYLOCKED: error = pthread_mutex_trylock(mutex); break;
    case TIMEDLOCKED: error = pthread_mutex_timedlock(mutex, &soon); break;
    case RECURSIVE:
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        see(self, (uint64_t)++guarded[BY_RECURSIVE][0]);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        return;
    case NESTED_LOCKS: /* in any order: a deadlock now and then */
        pthread_mutex_lock(mutex);
        pthread_mutex_lock(&mutexes[!i->object]);
        pthread_mutex_unlock(&mutexes[!i->object]);
        break;
    case READ_LOCKED: pthread_rwlock_rdlock(rwlock); break;
    case WRITE_LOCKED: pthread_rwlock_wrlock(rwlock); break;
    case TRY_READ_LOCKED: error = pthread_rwlock_tryrdlock(rwlock); break;
    case TRY_WRITE_LOCKED: error = pthread_rwlock_trywrlock(rwlock); break;
    case SPIN_LOCKED: pthread_spin_lock(&spinlock); break;
    case SPIN_TRYLOCKED: error = pthread_spin_trylock(&spinlock); break;
    case C11: mtx_lock(&c11_mutex); break;
    default: abort();
    }
    see(self, (uint64_t)error);
    if (error != 0)
        return;
    switch (i->kind) {
    case READ_LOCKED:
    case TRY_READ_LOCKED:
        see(self, (uint64_t)guarded[BY_RWLOCK][i->object]);
        pthread_rwlock_unlock(rwlock);
        break;
    case WRITE_LOCKED:
    case TRY_WRITE_LOCKED:
        add_guarded(self, BY_RWLOCK, i);
        pthread_rwlock_unlock(rwlock);
        break;
    case SPIN_LOCKED:
    case SPIN_TRYLOCKED:
        add_guarded(self, BY_SPINLOCK, i);
        pthread_spin_unlock(&spinlock);
        break;
    case C11:
        add_guarded(self, BY_C11, i);
        mtx_unlock(&c11_mutex);
        break;
    default: add_guarded(self, BY_MUTEX, i); pthread_mutex_unlock(mutex);
    }
}

static void waits(int self, const struct instruction *i) {
    pthread_mutex_t *mutex = &mutexes[i->object];
    sem_t *semaphore = &semaphores[i->object];
    int value = 0;
    switch (i->kind) {
    case SEM_WAIT: sem_wait(semaphore); break;
    case SEM_POST: sem_post(semaphore); break;
    case SEM_TRYWAIT: value = sem_trywait(semaphore); break;
    case SEM_TIMEDWAIT: value = sem_timedwait(semaphore, &soon); break;
    case SEM_GETVALUE: sem_getvalue(semaphore, &value); break;
    case COND_WAIT:
        pthread_mutex_lock(mutex);
        pthread_cond_wait(&conds[i->object], mutex);
        add_guarded(self, BY_MUTEX, i);
        pthread_mutex_unlock(mutex);
        break;
    case COND_TIMEDWAIT:
        pthread_mutex_lock(mutex);
        value = pthread_cond_timedwait(&conds[i->object], mutex, &soon);
        pthread_mutex_unlock(mutex);
        break;
    case COND_SIGNAL: pthread_cond_signal(&conds[i->object]); break;
    case COND_BROADCAST: pthread_cond_broadcast(&conds[i->object]); break;
    case BARRIER: value = pthread_barrier_wait(&barrier); break;
    case ONCE:
        pthread_once(&once, run_once);
        value = once_runs;
        break;
    default: abort();
    }
    see(self, (uint64_t)value);
}

static void messages(int self, const struct instruction *i) {
    struct heddle_mailbox *mailbox = &mailboxes[i->object];
    void *message = NULL;
    switch (i->kind) {
    case SEND: heddle_send(mailbox, (void *)(uintptr_t)(i->value + 1 + 4 * self)); break;
    case RECEIVE: message = heddle_receive(mailbox); break;
    case TRY_RECEIVE: heddle_try_receive(mailbox, &message); break;
    case RECEIVE_IF: message = heddle_receive_if(mailbox, odd, NULL); break;
    default: abort();
    }
    see(self, (uint64_t)message);
}

/* A child locks a robust mutex and ends. The other task tries the mutex before that, in between, or
 * after. */
static void *abandon(void *mutex) {
    pthread_mutex_lock(mutex);
    return NULL;
}

/* No task makes the mutex consistent. If a task that got EOWNERDEAD unlocks it, the mutex is
 * unusable. */
static void abandoned(int self, pthread_mutex_t *mutex) {
    pthread_t child;
    pthread_create(&child, NULL, abandon, mutex);
    int error = pthread_mutex_trylock(mutex);
    see(self, (uint64_t)error);
    if (error == 0 || error == EOWNERDEAD)
        pthread_mutex_unlock(mutex);
    pthread_join(child, NULL);
}

static void tasks(int self, const struct instruction *i) {
    atomic_int *variable = &variables[i->object];
    void *result = NULL;
    pthread_t child;
    pthread_key_t key;
    switch (i->kind) {
    case SPAWN:
        pthread_create(&child, NULL, add_one, variable);
        pthread_join(child, NULL);
        break;
    case SPAWN_DETACHED:
        pthread_create(&child, NULL, add_one, variable);
        pthread_detach(child);
        break;
    case TRYJOIN:
        pthread_create(&child, NULL, add_one, variable);
        if (pthread_tryjoin_np(child, NULL) != 0) {
            see(self, 1);
            pthread_join(child, NULL);
        }
        break;
    case TIMEDJOIN:
        pthread_create(&child, NULL, add_one, variable);
        if (pthread_timedjoin_np(child, NULL, &(struct timespec){.tv_sec = 1}) != 0) {
            see(self, 2);
            pthread_join(child, NULL);
        }
        break;
    case ROBUST: abandoned(self, &robust[i->object]); break;
    case CANCEL:
        pthread_create(&child, NULL, wait_for_cancel, variable);
        pthread_cancel(child);
        pthread_join(child, &result);
        see(self, result == PTHREAD_CANCELED);
        break;
    case KEY:
        pthread_key_create(&key, NULL);
        pthread_setspecific(key, &child);
        see(self, pthread_getspecific(key) == &child);
        pthread_key_delete(key);
        break;
    case EXIT: exit(0);
    default: abort();
    }
}

static void others(int self, const struct instruction *i, int at) {
    switch (i->kind) {
    case CHOOSE: see(self, (uint64_t)heddle_choose(2 + i->object)); break;
    case YIELD: sched_yield(); break;
    case SLEEP: usleep(10); break;
    case ATOMIC:
        heddle_atomic_begin();
        see(self, (uint64_t)atomic_fetch_add(&variables[0], 1));
        see(self, (uint64_t)atomic_fetch_add(&variables[1], 1));
        heddle_atomic_end();
        break;
    case ASSERT:
        if (atomic_load(&variables[i->object]) == i->value + 1)
            fail(self, at);
        break;
    case ASSUME: heddle_assume(atomic_load(&variables[i->object]) != i->value + 1); break;
    default: abort();
    }
}

static void execute(int self, const struct instruction *i, int at) {
    if (i->kind <= VOLATILE_WRITE || i->kind == AWAIT)
        atomics(self, i);
    else if (i->kind >= FUTEX_WAITS)
        futexes(self, i);
    else if ((i->kind >= LOCKED && i->kind <= SPIN_TRYLOCKED) || i->kind == C11)
        locks(self, i);
    else if (i->kind >= SEM_WAIT && i->kind <= ONCE)
        waits(self, i);
    else if (i->kind >= SEND && i->kind <= RECEIVE_IF)
        messages(self, i);
    else if ((i->kind >= SPAWN && i->kind <= CANCEL) || i->kind == KEY || i->kind == EXIT)
        tasks(self, i);
    else
        others(self, i, at);
}

static void *run_script(void *argument) {
    int self = (int)(intptr_t)argument;
    for (int at = 0; at < lengths[self]; at++)
        execute(self, &script[self][at], at);
    return NULL;
}

static uint64_t generator;

static int below(int bound) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (int)((generator >> 33) % (uint64_t)bound);
}

/* A few kinds dominate each program, so that operations on the same object meet. In programs that
 * can see the ends of threads, every thread has one more step, so these programs are shorter. */
static void make_scripts(uint64_t seed) {
    generator = seed * 2 + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    int favourite[4] = {below(KINDS), below(KINDS), below(KINDS), LOAD + below(5)};
    if (favourite[0] >= FUTEX_WAITS || favourite[1] >= FUTEX_WAITS)
        for (int i = 0; i < 3; i++)
            favourite[i] = FUTEX_WAITS + i;
    int steps = 0;
    task_count = 2 + below(2);
    for (int task = 0; task < task_count; task++) {
        lengths[task] = 1 + below(task_count == 2 ? LENGTH_MAX : 2);
        for (int at = 0; at < lengths[task]; at++) {
            int kind = below(3) ? favourite[below(4)] : below(KINDS);
            steps += kind >= TRYJOIN && kind <= ROBUST ? 4 : 1;
            if (steps > STEPS_MAX)
                lengths[task] = at;
            script[task][at] = (struct instruction){(enum kind)kind, below(OBJECTS), below(2)};
        }
    }
}

static int show(uint64_t seed) {
#define NAME(kind) #kind,
    static const char *const names[] = {KIND_NAMES(NAME)};
#undef NAME
    make_scripts(seed);
    for (int task = 0; task < task_count; task++) {
        printf("task %d:", task);
        for (int at = 0; at < lengths[task]; at++)
            printf(" %s(%d, %d)", names[script[task][at].kind], script[task][at].object,
                   script[task][at].value);
        printf("\n");
    }
    return 0;
}

static uint64_t final_state(void) {
    uint64_t state = 0;
    for (int i = 0; i < OBJECTS; i++)
        state = state * 31 + (uint64_t)variables[i] * 7 + (uint64_t)volatiles[i] * 3;
    for (int i = 0; i < GUARDS * OBJECTS; i++)
        state = state * 31 + (uint64_t)guarded[i / OBJECTS][i % OBJECTS];
    for (int task = 0; task < task_count; task++)
        state = (state ^ seen[task]) * 0x9e3779b97f4a7c15u;
    return state << 8;
}

/* An exit handler records the end, so that an early exit counts as a final state too. Other tasks
 * may still run then, so the handler reads everything in one atomic section. */
static void record(void) {
    heddle_atomic_begin();
    set_add(final_state());
    heddle_atomic_end();
}

int main(int argc, char **argv) {
    pthread_t threads[TASKS_MAX];
    int status = set_command(argc, argv, show);
    if (status >= 0)
        return status;
    make_scripts(strtoull(argv[1], NULL, 0));
    heddle_atomic_begin();
    pthread_spin_init(&spinlock, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    mtx_init(&c11_mutex, mtx_plain);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (int i = 0; i < OBJECTS; i++) {
        sem_init(&semaphores[i], 0, (unsigned)i);
        pthread_mutex_init(&robust[i], &attributes);
    }
    atexit(record);
    for (int task = 0; task < task_count; task++)
        pthread_create(&threads[task], NULL, run_script, (void *)(intptr_t)task);
    heddle_atomic_end();
    for (int task = 0; task < task_count; task++)
        pthread_join(threads[task], NULL);
    return 0;
}
