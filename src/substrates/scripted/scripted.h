/* scripted.h - a toy system for tests: tasks are lists of small instructions, which are
 * interpreted.
 *
 * A visible instruction is an operation, and its code is the kind of the operation. The others
 * (enum script_code) run together with the operation before them. A task has one register, which
 * most operations set, and a history of all values of the register. So two final states are equal
 * only if every task has seen the same.
 *
 * A task ends together with its last operation, unless its last instruction is OP_END. If any task
 * looks whether another one has ended (a tryjoin, a timed join, a kill), all tasks must end with
 * OP_END.
 *
 * Limits: small fixed numbers of everything; jumps go forward only; operations in an atomic section
 * must not block. Wrong uses (unlocking a mutex that the task does not hold) fail without effect.
 * The whole state is one block of plain data, so that a test can save and restore it by
 * assignment. */
#ifndef SUBSTRATES_SCRIPTED_SCRIPTED_H
#define SUBSTRATES_SCRIPTED_SCRIPTED_H

#include "engine/system.h"
#include "event/op.h"
#include "event/op_kind.h"

enum {
    SCRIPT_TASKS = 8,
    SCRIPT_VARIABLES = 8, /* of 8 bytes */
    SCRIPT_OBJECTS = 5,   /* of each other kind: five philosophers have five forks */
    SCRIPT_MESSAGES = 16, /* in one mailbox */
};

/* Instructions that are not operations. */
enum script_code {
    SCRIPT_READ = OP_KINDS, /* plain read */
    SCRIPT_WRITE,           /* plain write */
    SCRIPT_SKIP_IF,         /* skips value2 instructions if the register is `value` */
    SCRIPT_ASSERT_NOT,      /* fails if the register is `value` */
    SCRIPT_ASSUME_NOT,      /* if the register is `value`, the task goes no further */
    SCRIPT_SECTION_END,     /* ends the section that OP_ATOMIC began */
    /* an operation after all: loads until the value is there; the task is parked between the
     * loads */
    SCRIPT_AWAIT,
    /* likewise: waits until a semaphore is even (`value` is 0) or odd (1), and then adds value2 to
     * it. So other tasks enable and disable it any number of times. No kind of operation does that:
     * the test says by `object2` which kind it is recorded as, and by its own table what that kind
     * is (test_dpor.c). */
    SCRIPT_UNTIL,
    SCRIPT_CODES
};

/* A wait on a condition, a barrier and a once are one instruction each, but two or three
 * operations. */
struct script_instruction {
    uint8_t code;    /* enum op_kind or enum script_code */
    uint8_t object;  /* the number of the object of its kind; for tasks, the number of the task */
    uint8_t object2; /* COND_WAIT: the mutex; UNTIL: the kind of the operation */
    uint8_t offset;  /* memory: first byte in the variable */
    uint8_t size;    /* memory: bytes, 0 for 8 */
    uint8_t order;   /* enum memory_order_kind */
    uint8_t failure; /* CAS: the memory order if it fails */
    bool timed;
    /* the value to store, add, expect, send or compare with; CHOOSE: the number of values */
    int32_t value;
    int32_t
        /* CAS: the value to store; SKIP_IF: how many instructions; RECEIVE: the only message that
         * fits, or 0 */
        value2;
};

struct script_task {
    const struct script_instruction *code;
    uint32_t length;
};

struct script {
    struct script_task tasks[SCRIPT_TASKS];
    uint32_t task_count;
    uint32_t started; /* bit t: task t is there from the start; the others are created */
    uint8_t semaphores[SCRIPT_OBJECTS];
    uint8_t barriers[SCRIPT_OBJECTS]; /* the number of tasks that meet at each */
    /* a failure is an operation of its own, so other tasks may move before it */
    bool failures_wait;
};

enum script_status { TASK_ABSENT, TASK_LIVE, TASK_OVER };

/* The place of a task within an instruction of several operations. */
enum script_phase {
    PHASE_FIRST,
    PHASE_ASLEEP,
    PHASE_WOKEN,
    PHASE_AT_BARRIER,
    PHASE_IN_ONCE,
    PHASE_PARKED,
    PHASE_STOPPED, /* an assumption has stopped the task for good */
    PHASE_FAILED,  /* the task stands before its failure */
};

struct script_task_state {
    uint64_t value;   /* the register */
    uint64_t history; /* a hash of all values it ever had */
    uint64_t seen;    /* parked: the value that it read; the task waits until the value changes */
    uint32_t at;      /* the index of the instruction */
    uint32_t round;   /* the round of the barrier at which it waits */
    uint8_t status;   /* enum script_status */
    uint8_t phase;    /* enum script_phase */
    bool timed_out, cancelled, detached, in_section;
};

/* Oldest first. */
struct script_mailbox {
    uint64_t values[SCRIPT_MESSAGES];
    uint64_t numbers[SCRIPT_MESSAGES];
    uint64_t count, sent;
};

struct script_state {
    struct script_task_state tasks[SCRIPT_TASKS];
    uint8_t memory[SCRIPT_VARIABLES * 8];
    uint32_t mutexes[SCRIPT_OBJECTS]; /* holder + 1 */
    uint32_t spinlocks[SCRIPT_OBJECTS];
    uint32_t sleepers[SCRIPT_OBJECTS];           /* of a condition variable: a bit for each task */
    uint32_t writers[SCRIPT_OBJECTS];            /* of a read-write lock: holder + 1 */
    uint32_t readers[SCRIPT_OBJECTS];            /* one bit for each task that reads */
    uint8_t reads[SCRIPT_OBJECTS][SCRIPT_TASKS]; /* how often each task has locked it as a reader */
    uint32_t semaphores[SCRIPT_OBJECTS];
    uint32_t arrived[SCRIPT_OBJECTS]; /* the number of tasks at a barrier */
    uint32_t rounds[SCRIPT_OBJECTS];
    uint32_t onces[SCRIPT_OBJECTS]; /* 0: not yet; 1 + task: the task runs it; ONCE_DONE */
    struct script_mailbox mailboxes[SCRIPT_OBJECTS];
    uint32_t outcome; /* enum outcome */
    uint32_t orphans; /* a bit for each mutex that was abandoned */
};

struct scripted {
    struct system base;
    const struct script *script; /* borrowed */
    struct host *host;           /* borrowed */
    struct script_state state;
    uint32_t moved;
    uint64_t failure; /* where an assertion failed in this execution, or 0 */
    struct op ops[SCRIPT_TASKS];
    struct pending pending[SCRIPT_TASKS];
};

/* Whether a task of this script looks whether another one has ended. */
bool script_sees_ends(const struct script *script);

void scripted_init(struct scripted *system, const struct script *script);

/* Called after a test has put back an earlier state. */
void scripted_restored(struct scripted *system);

/* Equal for equal states. It does not include which task moved last, nor whether a task that awaits
 * a value has looked already. */
uint64_t scripted_fingerprint(const struct scripted *system);

/* Makes one step, for a test that drives the system itself. */
void scripted_step(struct scripted *system, uint32_t task);
bool scripted_enabled(const struct scripted *system, uint32_t task);

#endif
