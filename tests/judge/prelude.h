/* prelude.h - the common part of the programs that emit.c writes: their objects, and how they
 * record what they have seen.
 *
 *     program SEED [FILE [OUTCOME]]
 *
 * runs the program of that seed. The end of each execution is added to the set in FILE: a failed
 * assertion, or what the exit handler finds. After an exhaustive search, FILE holds the set of
 * all reachable outcomes. With an OUTCOME, reaching it is a failed assertion, so that Heddle
 * shows the way to it.
 *
 * The set is in a shared mapping that is made before main, so no reset touches it. The logs are
 * not instrumented. Each log belongs to one task, and main reads it only after it has joined the
 * task. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "observe.h"
#include "program.h"

#define UNSEEN __attribute__((noinline, no_sanitize("thread")))

static union {
    _Atomic uint8_t b[8];
    _Atomic uint16_t h[4];
    _Atomic uint32_t w[2];
    _Atomic uint64_t d[1];
} cells[CELLS];
static union {
    uint8_t b[4];
    uint16_t h[2];
    uint32_t w[1];
} data[DATA];
static union {
    volatile uint8_t b[4];
    volatile uint16_t h[2];
    volatile uint32_t w[1];
} *const volatile_data = (void *)data;
/* The same cells, for accesses without atomics. */
typedef union {
    uint8_t b[8];
    uint16_t h[4];
    uint32_t w[2];
    uint64_t d[1];
} __attribute__((may_alias)) plain_cell;
static plain_cell *const plain_cells = (plain_cell *)cells;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_mutex_t mutexes[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                           PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
static pthread_rwlock_t rwlocks[RWLOCKS] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t spin;
static pthread_cond_t conds[CONDS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[SEMAPHORES];
static pthread_barrier_t barrier;
static pthread_once_t onces[ONCES] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_t threads[TASKS_MAX];
static struct heddle_mailbox mailbox;
static pthread_key_t key;
static _Atomic uint64_t published[TASKS_MAX];

static uint64_t logs[TASKS_MAX];
static int joined[TASKS_MAX], leaver = -1;
static uint64_t *outcomes, unwanted;
static int task_count, parents[TASKS_MAX];
static __thread int own; /* the number of the task */

UNSEEN static uint64_t see(int task, uint64_t value) {
    logs[task] = JUDGE_FOLD(logs[task], value);
    return value;
}

UNSEEN static uint64_t log_of(int task) {
    return logs[task];
}

UNSEEN static void enter(int task) {
    own = task;
}

UNSEEN static void set_leaver(int task) {
    leaver = task;
}

UNSEEN static void add_outcome(uint64_t outcome) {
    if (outcomes != NULL) {
        uint64_t at = outcome * 0x9e3779b97f4a7c15u >> 40;
        for (int tries = 0; tries < OUTCOME_SLOTS; tries++, at++) {
            uint64_t *slot = &outcomes[at % OUTCOME_SLOTS];
            if (*slot == 0)
                *slot = outcome;
            if (*slot == outcome)
                break;
        }
    }
}

static void check(int number, int fails) {
    if (fails) {
        add_outcome(JUDGE_FAILURE(number));
        heddle_assert(!"the program's own assertion");
    }
}

UNSEEN static uint64_t logs_at_end(uint64_t log) {
    int all = 1;
    if (leaver >= 0)
        log = JUDGE_FOLD(log, logs[leaver]);
    for (int i = 1; leaver == 0 && i < task_count; i++) {
        int known = joined[i] && (parents[i] == 0 || joined[parents[i]]);
        all &= known;
        if (known)
            log = JUDGE_FOLD(log, logs[i]);
    }
    for (int i = 0; leaver == 0 && all && i < DATA; i++)
        for (int byte = 0; byte < DATA_BYTES; byte++)
            log = JUDGE_FOLD(log, data[i].b[byte]);
    return log;
}

/* The task that called exit, or 100 plus the task that was the last to end. */
UNSEEN static int who_left(void) {
    return leaver >= 0 ? leaver : 100 + own;
}

UNSEEN static int is_unwanted(uint64_t outcome) {
    return unwanted == outcome;
}

/* The exit handler. Other tasks may still run, so the handler reads everything in one atomic
 * section. */
static void record(void) {
    heddle_atomic_begin();
    uint64_t log = JUDGE_FOLD(1u, who_left());
    for (int i = 0; i < CELLS; i++) {
        uint64_t value = atomic_load(&cells[i].d[0]);
        for (int byte = 0; byte < CELL_BYTES; byte++)
            log = JUDGE_FOLD(log, value >> (8 * byte) & 255);
    }
    log = JUDGE_FOLD(log, __atomic_load_n((unsigned char *)&flag, __ATOMIC_SEQ_CST));
    for (int i = 0; i < task_count; i++)
        log = JUDGE_FOLD(log, atomic_load(&published[i]));
    log = JUDGE_OUTCOME(logs_at_end(log));
    add_outcome(log);
    heddle_assert(!is_unwanted(log));
    heddle_atomic_end();
}

__attribute__((constructor)) static void map_before_main(int argc, char **argv) {
    int fd = argc > 2 ? open(argv[2], O_RDWR | O_CREAT, 0644) : -1;
    if (argc > 3)
        unwanted = strtoull(argv[3], NULL, 0);
    if (fd < 0 || ftruncate(fd, OUTCOME_SLOTS * sizeof *outcomes) != 0)
        return;
    void *at =
        mmap(NULL, OUTCOME_SLOTS * sizeof *outcomes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    outcomes = at == MAP_FAILED ? NULL : at;
    close(fd);
}

/* --- calls that do not return an error number
 * ---------------------------------------------------- */

static const struct timespec past = {.tv_sec = 1};

static inline uint64_t errno_of(int result) {
    return result == 0 ? 0 : (uint64_t)errno;
}

static inline uint64_t count_or_errno(long result) {
    return result >= 0 ? (uint64_t)result : (uint64_t)errno;
}

static inline uint64_t value_of(sem_t *semaphore) {
    int value = 0;
    sem_getvalue(semaphore, &value);
    return (uint64_t)value;
}

static inline long futex(_Atomic uint32_t *word, int operation, uint32_t value,
                         const struct timespec *timeout, uint32_t bits) {
    return syscall(SYS_futex, word, operation, value, timeout, NULL, bits);
}

static inline uint64_t try_receive(void) {
    void *message = NULL;
    heddle_try_receive(&mailbox, &message);
    return (uint64_t)(uintptr_t)message;
}

static bool is_odd(void *message, void *context) {
    (void)context;
    return (uintptr_t)message & 1;
}

UNSEEN static void set_joined(int task) {
    joined[task] = 1;
}

/* Records the end of a join. `error` is the result of the join. */
static inline uint64_t after_join(int self, int task, int error, void *result) {
    if (error == 0) {
        set_joined(task);
        see(self, result == PTHREAD_CANCELED);
    }
    return see(self, (uint64_t)error);
}

static void destroy(void *unused) {
    (void)unused;
    atomic_fetch_add(&cells[1].b[5], 1);
}

static void create(int task, void *(*function)(void *), int detached) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (detached)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&threads[task], &attributes, function, NULL) != 0)
        abort();
    pthread_attr_destroy(&attributes);
}

UNSEEN static void set_parent(int task, int parent) {
    parents[task] = parent;
}

static void initialise(int tasks, unsigned first, unsigned second, unsigned count) {
    task_count = tasks;
    sem_init(&semaphores[0], 0, first);
    sem_init(&semaphores[1], 0, second);
    pthread_barrier_init(&barrier, NULL, count);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_key_create(&key, destroy);
    atexit(record);
}

static void once_routine(void) {
    atomic_fetch_add(&cells[1].b[6], 1);
    atomic_fetch_add(&cells[1].b[6], 1);
}

/* The handler of pthread_cleanup_push. It unlocks a mutex, or none. */
static void cleanup(void *mutex) {
    atomic_fetch_add(&cells[1].b[7], 1);
    if (mutex != NULL)
        pthread_mutex_unlock(mutex);
}
