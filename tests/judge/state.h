/* state.h - one state of a program, and the steps that lead out of it.
 *
 * The model is written from POSIX, C11, heddle/heddle.h and docs/CONTROLLED.md, and shares no code
 * with Heddle. A state is plain bytes, and its padding is always zero. So two states are the same
 * if their bytes are the same.
 *
 * A task that is LIVE stands before the instruction at `pc`, unless its phase says that it is in
 * the middle of one. Everything that a task does between two operations belongs to the first of
 * them, and `settle` does it at once. The end of a task is a step of its own. */
#ifndef JUDGE_STATE_H
#define JUDGE_STATE_H

#include "program.h"

enum status { ABSENT, LIVE, ENDED /* not joined yet */, GONE };

enum phase {
    BEFORE,     /* before the instruction at pc */
    WAITING,    /* waits for a signal, a wake-up or the other tasks of a barrier */
    WOKEN,      /* was woken from a condition variable, and takes the mutex next */
    IN_ROUTINE, /* in the routine of pthread_once */
    IN_HANDLER, /* in the handler of pthread_cleanup_pop, after which the task goes on */
    UNWINDING,  /* by pthread_exit or cancellation: runs its handlers, then ends */
    ASSUMED,    /* an assumption was false, so the task goes no further */
    ENDING,     /* has done everything, but its end cannot be seen yet */
    FAILING,    /* an assertion is false, and fails in the next step */
    EXITING,    /* exit was called, or main has returned */
};

struct task {
    uint8_t status, phase, pc;
    uint8_t rounds;     /* rounds of POLL done, or steps done within a routine or handler */
    uint8_t wakes_with; /* what WAIT will return, or WOKEN_CANCELLED */
    uint8_t pending, cancel_off, cancelled;
    uint8_t detached, joined;
    uint8_t cleanups, cleanup[CLEANUPS_MAX];
    uint8_t keyed; /* has a value for the key, so the destructor runs at the end */
    uint8_t unused[2];
    uint64_t value; /* the value of the register */
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

/* For each task, the number of its steps that happened before. */
struct clock {
    uint8_t of[TASKS_MAX];
};

/* The atomic locations for happens-before: the cells, the flag, and the byte in which the routines
 * of pthread_once count. */
enum { FLAG_LOCATION = CELLS, ONCE_LOCATION, LOCATIONS };

/* Happens-before of C11, kept only for programs that may race (order.c). */
struct order {
    struct clock now[TASKS_MAX];
    struct clock relaxed_reads[TASKS_MAX]; /* what the next acquire fence will synchronise with */
    struct clock fence[TASKS_MAX];         /* the clock at the last release fence */
    struct clock sequences[LOCATIONS]
                          [TASKS_MAX]; /* what the release sequences of each task have released */
    struct clock mutex[MUTEXES], spin, semaphore[SEMAPHORES], barrier, once[ONCES];
    struct clock written[RWLOCKS],
        shared[RWLOCKS]; /* the clocks of the unlocks by writers, and by readers */
    /* When each task last accessed a byte, in steps of its own clock. Only the first bytes of a
     * cell are tracked. */
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
    uint8_t arrived;     /* the tasks that wait at the barrier, one bit for each */
    uint8_t once[ONCES]; /* 0, the number of the task in the routine + 1, or ONCE_DONE */
    uint8_t section;     /* the number of the task in an atomic section + 1, or 0 */
    uint8_t end;         /* enum end */
    uint8_t failure;     /* the number of the failed assertion */
    uint8_t messages, mailbox[MESSAGES_MAX];
    uint8_t unused[3];
    uint64_t outcome;
    struct task tasks[TASKS_MAX];
    struct order order;
};
enum { ONCE_DONE = 255, WAYS = 16 };

void state_begin(const struct program *program, struct state *state);

/* Takes the step of `task` in one of its ways, 0 to WAYS - 1. Returns false if there is no such
 * way. */
bool state_step(const struct program *program, struct state *state, int task, int way);

/* Take a step of one family of instructions. They return false if this way is not possible now. */
bool step_memory(const struct program *program, struct state *state, int task, int way);
bool step_lock(struct state *state, int task, const struct instruction *at, int way);
bool step_wait(const struct program *program, struct state *state, int task, int way);
bool step_thread(const struct program *program, struct state *state, int task, int way);

/* Ends the execution with a failed assertion. */
void state_fail(struct state *state, const struct instruction *at);
/* Performs a plain access at once. */
void state_access(struct state *state, int task, const struct instruction *at);

/* Helpers of the steps. state_see() sets the register and adds the value to the log. state_next()
 * goes to the next instruction. */
void state_see(struct state *state, int task, uint64_t value);
void state_next(struct state *state, int task);
bool state_take_mutex(struct state *state, int task, int mutex);
void state_release_mutex(struct state *state, int task, int mutex);
bool state_is_cancelled(const struct state *state, int task);
void state_unwind(struct state *state, int task);

/* Happens-before. The functions do nothing for programs that cannot race. */
extern bool order_stores_end; /* stores end release sequences, as in C++20 */
void order_tick(struct state *state, int task);
void order_acquire(struct state *state, int task, const struct clock *from);
void order_release(struct state *state, int task, struct clock *into);
void order_create(struct state *state, int parent, int child);
void order_join(struct state *state, int task, int child);
void order_atomic(struct state *state, int task, int location, enum strength order, bool reads,
                  bool writes);
void order_fence(struct state *state, int task, enum strength order);
/* Records an access. The state becomes RACY if the access races. A read-modify-write both reads and
 * writes. */
void order_atomic_access(struct state *state, int task, const struct instruction *at, bool reads,
                         bool writes);
void order_access(struct state *state, int task, const struct instruction *at, bool writes);

#endif
