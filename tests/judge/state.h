/* state.h - one state of a program, and the steps that lead out of it.
 *
 * Written from POSIX, C11, heddle/heddle.h and docs/CONTROLLED.md, and sharing nothing with Heddle. A
 * state is plain bytes without padding that differs, so two states are the same if their bytes are.
 *
 * A task that is LIVE stands before the instruction at `pc`, unless its phase says that it is in the
 * middle of one. What a task does between two operations belongs to the first of them: `settle` does it
 * at once. The end of a task is a step of its own. */
#ifndef JUDGE_STATE_H
#define JUDGE_STATE_H

#include "program.h"

enum status { ABSENT, LIVE, ENDED /* not joined yet */, GONE };

enum phase {
    BEFORE,     /* the instruction at pc */
    WAITING,    /* for a signal, a wake-up or the others of a barrier */
    WOKEN,      /* from a condition variable; takes the mutex next */
    IN_ROUTINE, /* of pthread_once */
    IN_HANDLER, /* of pthread_cleanup_pop, which then goes on behind it */
    UNWINDING,  /* pthread_exit or cancellation: runs its handlers, then ends */
    ASSUMED,    /* an assumption was false: goes no further */
    ENDING,     /* all done, but its end cannot be seen yet */
    FAILING,    /* an assertion is false, which is found next */
    EXITING,    /* exit was called, or main has returned */
};

struct task {
    uint8_t status, phase, pc;
    uint8_t rounds;     /* of POLL; steps done within a routine or handler */
    uint8_t wakes_with; /* what WAIT returns; WOKEN_CANCELLED */
    uint8_t pending, cancel_off, cancelled;
    uint8_t detached, joined;
    uint8_t cleanups, cleanup[CLEANUPS_MAX];
    uint8_t keyed; /* has a value for the key, whose destructor runs at its end */
    uint8_t unused[2];
    uint64_t value; /* of the register */
    uint64_t log;
};
enum { WOKEN_CANCELLED = 255 };

struct mutex_state {
    uint8_t owner; /* number of the task + 1 */
    uint8_t count;
};

struct rwlock_state {
    uint8_t writer; /* number of the task + 1 */
    uint8_t readers[TASKS_MAX];
};

/* How far a task knows of each other task. */
struct clock {
    uint8_t of[TASKS_MAX];
};

/* Atomic ones, for happens-before: the cells, the flag, and the byte that routines of once count in. */
enum { FLAG_LOCATION = CELLS, ONCE_LOCATION, LOCATIONS };

/* Happens-before of C11, kept only for programs that may race (order.c). */
struct order {
    struct clock now[TASKS_MAX];
    struct clock relaxed_reads[TASKS_MAX];        /* what an acquire fence will synchronise with */
    struct clock fence[TASKS_MAX];                /* at the last release fence */
    struct clock sequences[LOCATIONS][TASKS_MAX]; /* what those that a task began have released */
    struct clock mutex[MUTEXES], spin, semaphore[SEMAPHORES], barrier, once[ONCES];
    struct clock written[RWLOCKS], shared[RWLOCKS]; /* unlocked by a writer, by readers */
    /* When each task last accessed a byte, by its own clock; only the first bytes of a cell. */
    uint8_t writes[DATA + CELLS][DATA_BYTES][TASKS_MAX], reads[DATA + CELLS][DATA_BYTES][TASKS_MAX];
    uint8_t atomic_writes[CELLS][DATA_BYTES][TASKS_MAX], atomic_reads[CELLS][DATA_BYTES][TASKS_MAX];
};

enum end { NOT_OVER, OVER, FAILED, RACY, DROPPED, MISUSED };

struct state {
    uint8_t cells[CELLS][CELL_BYTES];
    uint64_t published[TASKS_MAX];
    uint8_t data[DATA][DATA_BYTES];
    struct mutex_state mutexes[MUTEXES];
    struct rwlock_state rwlocks[RWLOCKS];
    uint8_t flag, spin, semaphores[SEMAPHORES];
    uint8_t arrived;     /* at the barrier: one bit a task */
    uint8_t once[ONCES]; /* 0, number of the task in the routine + 1, or ONCE_DONE */
    uint8_t section;     /* number of the task in an atomic section + 1 */
    uint8_t end;         /* enum end */
    uint8_t failure;     /* number of the assertion */
    uint8_t messages, mailbox[MESSAGES_MAX];
    uint8_t unused[3];
    uint64_t outcome;
    struct task tasks[TASKS_MAX];
    struct order order;
};
enum { ONCE_DONE = 255, WAYS = 16 };

void state_begin(const struct program *program, struct state *state);

/* The step of `task` in one of its ways, 0 to WAYS - 1. False: it has no such way. */
bool state_step(const struct program *program, struct state *state, int task, int way);

/* Which steps each kind of instruction makes; false: not in this way, not now. */
bool step_memory(const struct program *program, struct state *state, int task, int way);
bool step_lock(struct state *state, int task, const struct instruction *at, int way);
bool step_wait(const struct program *program, struct state *state, int task, int way);
bool step_thread(const struct program *program, struct state *state, int task, int way);

/* A failed assertion. */
void state_fail(struct state *state, const struct instruction *at);
/* A plain access, at once. */
void state_access(struct state *state, int task, const struct instruction *at);

/* For these: the register gets a value, which is logged; the instruction is over. */
void state_see(struct state *state, int task, uint64_t value);
void state_next(struct state *state, int task);
bool state_take_mutex(struct state *state, int task, int mutex);
void state_release_mutex(struct state *state, int task, int mutex);
bool state_is_cancelled(const struct state *state, int task);
void state_unwind(struct state *state, int task);

/* Happens-before. The functions do nothing for programs that cannot race. */
extern bool order_stores_end; /* release sequences, as in C++20 */
void order_tick(struct state *state, int task);
void order_acquire(struct state *state, int task, const struct clock *from);
void order_release(struct state *state, int task, struct clock *into);
void order_create(struct state *state, int parent, int child);
void order_join(struct state *state, int task, int child);
void order_atomic(struct state *state, int task, int location, enum strength order, bool reads,
                  bool writes);
void order_fence(struct state *state, int task, enum strength order);
/* An access: the state is RACY if it races. A read-modify-write is both. */
void order_atomic_access(struct state *state, int task, const struct instruction *at, bool reads,
                         bool writes);
void order_access(struct state *state, int task, const struct instruction *at, bool writes);

#endif
