/* program.h - a small concurrent program as data: each task is a list of instructions.
 *
 * The generator makes a program from a seed, the model (model.h) explores everything that it can
 * do, and emit.c writes it as C. A task has one register, which holds the result of its last
 * instruction, and a log, into which all results are folded (observe.h). Branches only skip
 * forwards, so every task ends unless it waits. Task 0 is main. The parent of a task creates,
 * joins, detaches and cancels it. The parent is main or task 1. */
#ifndef JUDGE_PROGRAM_H
#define JUDGE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    TASKS_MAX = 4,
    CODE_MAX = 24,
    CELLS = 2,      /* eight bytes each, accessed by atomics of all sizes */
    CELL_BYTES = 8, /* also the size of a published value */
    DATA = 4,       /* plain memory: four bytes each */
    DATA_BYTES = 4,
    MUTEXES = 4, /* see enum mutex */
    RWLOCKS = 2,
    CONDS = 2,
    SEMAPHORES = 2,
    ONCES = 2,
    CLEANUPS_MAX = 2, /* the most handlers that a task has pushed at a time */
    MESSAGES_MAX = 8, /* the most messages in the mailbox at a time */
};

enum mutex { MUTEX_NORMAL_0, MUTEX_NORMAL_1, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };

/* clang-format off */
#define KINDS(X) \
    X(LOAD) X(STORE) X(EXCHANGE) X(CAS_STRONG) X(CAS_WEAK) X(ADD) X(SUB) X(OR) X(AND) X(XOR) \
    X(TEST_AND_SET) X(CLEAR) X(FENCE) X(AWAIT) X(POLL) \
    X(READ) X(WRITE) X(VOLATILE_READ) X(VOLATILE_WRITE) \
    X(LOCK) X(TRYLOCK) X(TIMEDLOCK) X(UNLOCK) \
    X(RDLOCK) X(WRLOCK) X(TRYRDLOCK) X(TRYWRLOCK) X(TIMEDRDLOCK) X(TIMEDWRLOCK) X(RWUNLOCK) \
    X(SPIN_LOCK) X(SPIN_TRYLOCK) X(SPIN_UNLOCK) \
    X(WAIT) X(TIMEDWAIT) X(SIGNAL) X(BROADCAST) \
    X(SEM_WAIT) X(SEM_TRYWAIT) X(SEM_TIMEDWAIT) X(SEM_POST) X(SEM_GETVALUE) \
    X(BARRIER) X(ONCE) X(FUTEX_WAIT) X(FUTEX_TIMEDWAIT) X(FUTEX_WAKE) \
    X(SEND) X(RECEIVE) X(TRY_RECEIVE) X(RECEIVE_ODD) X(KEY) X(CREATE) X(JOIN) X(TRYJOIN) X(TIMEDJOIN) X(DETACH) X(CANCEL) \
    X(TESTCANCEL) X(CANCEL_OFF) X(CANCEL_ON) X(CLEANUP_PUSH) X(CLEANUP_POP) \
    X(THREAD_EXIT) X(MAIN_EXIT) X(EXIT) X(CHOOSE) X(ASSUME) X(ASSERT) X(YIELD) X(SLEEP) \
    X(SECTION_BEGIN) X(SECTION_END) X(IF_ZERO) X(IF_NONZERO) X(PUBLISH)
/* clang-format on */
#define NAME(kind) DO_##kind,
enum kind { KINDS(NAME) KIND_COUNT };
#undef NAME

/* In the order of C11's names, without consume. */
enum strength { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ORDERS };

struct instruction {
    uint8_t kind; /* enum kind */
    /* The number of the cell, mutex, task and so on. For READ and WRITE: the number of the data, or
     * DATA + the number of a cell. */
    uint8_t object;
    uint8_t at;    /* the first byte within a cell or within data */
    uint8_t size;  /* bytes: 1, 2, 4 or 8 */
    uint8_t order; /* enum strength */
    /* IF: the number of instructions in its body. POLL: the number of rounds. FUTEX_WAKE: the most
     * tasks to wake. CHOOSE: the number of values. WAIT: its mutex. CLEANUP_PUSH: the mutex to
     * unlock, or NO_MUTEX. ASSERT: its number. */
    uint8_t count;
    uint64_t value; /* the value to store, to add, to wait for, or to compare with the register */
    uint64_t other; /* CAS: the value to store; FUTEX: the bit set, or 0 for the call without one */
};
enum { NO_MUTEX = 255 };

struct program {
    uint64_t seed;
    uint8_t tasks, length[TASKS_MAX];
    uint8_t semaphore_value[SEMAPHORES], barrier_count;
    uint8_t parent[TASKS_MAX];
    bool detached[TASKS_MAX]; /* the task is created detached */
    bool races;               /* plain accesses need not be guarded */
    bool spurious;            /* to be run with --spurious-wakeups */
    bool plain_steps;         /* for the model: a plain access is a step of its own, and not part of
                               * the operation before it */
    struct instruction code[TASKS_MAX][CODE_MAX];
};

void generate(struct program *program, uint64_t seed);

/* Writes the program as C. The names of its functions contain its seed. */
void emit(const struct program *program, FILE *out);
/* Writes one C file with `count` programs from seed `first` on. */
void emit_all(uint64_t first, uint64_t count, FILE *out);

#endif
