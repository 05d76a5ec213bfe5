/* scripted.h - a toy system for tests: tasks are lists of small instructions, interpreted.
 *
 * A visible instruction is an operation and bears its kind; the others (enum script_code) run together
 * with the operation before them. A task has one register, which most operations set, and a history of
 * all values that it got: so two final states are equal only if every task saw the same.
 *
 * A task ends together with its last operation, unless its last instruction is OP_END. If any task looks
 * whether another one has ended (a tryjoin, a timed join, a kill), all must have that.
 *
 * Limits: small fixed numbers of everything, jumps go forward only, and what is in an atomic section
 * must not block. Wrong uses (unlocking what one does not hold) fail without effect. The whole state is
 * one block of plain data, so that a test can save and restore it by assignment. */
#ifndef SUBSTRATES_SCRIPTED_SCRIPTED_H
#define SUBSTRATES_SCRIPTED_SCRIPTED_H

#include "engine/system.h"

enum {
    SCRIPT_TASKS = 8,
    SCRIPT_VARIABLES = 8, /* of 8 bytes */
    SCRIPT_OBJECTS = 5,   /* of each of the other kinds: five philosophers have five forks */
    SCRIPT_MESSAGES = 16, /* in one mailbox */
};

/* Instructions that are no operations. */
enum script_code {
    SCRIPT_READ = OP_KINDS, /* plain read */
    SCRIPT_WRITE,           /* plain write */
    SCRIPT_SKIP_IF,         /* skips value2 instructions if the register is `value` */
    SCRIPT_ASSERT_NOT,      /* fails if the register is `value` */
    SCRIPT_ASSUME_NOT,      /* goes no further if the register is `value` */
    SCRIPT_SECTION_END,     /* closes what OP_ATOMIC opened */
    SCRIPT_AWAIT, /* an operation after all: loads until the value is there, parked in between */
    SCRIPT_CODES
};

/* A condition wait, a barrier and a once are one instruction, but two or three operations. */
struct script_instruction {
    uint8_t code;    /* enum op_kind or enum script_code */
    uint8_t object;  /* the how many-th of its kind; of tasks, the number */
    uint8_t object2; /* COND_WAIT: the mutex */
    uint8_t offset;  /* memory: first byte in the variable */
    uint8_t size;    /* memory: bytes, 0 for 8 */
    uint8_t order;   /* enum memory_order_kind */
    uint8_t failure; /* CAS: the order if it fails */
    bool timed;
    int32_t value; /* stored, added, expected, sent, compared with; CHOOSE: how many */
    int32_t
        value2; /* CAS: what is stored; SKIP_IF: how far; RECEIVE: the only message that fits, or 0 */
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
    uint8_t barriers[SCRIPT_OBJECTS]; /* how many meet at each */
    bool failures_wait; /* a failure is an operation of its own: others may move before it */
};

enum script_status { TASK_ABSENT, TASK_LIVE, TASK_OVER };

/* Where a task stands within an instruction of several operations. */
enum script_phase {
    PHASE_FIRST,
    PHASE_ASLEEP,
    PHASE_WOKEN,
    PHASE_AT_BARRIER,
    PHASE_IN_ONCE,
    PHASE_PARKED,
    PHASE_STOPPED, /* for good, by an assumption */
    PHASE_FAILED,  /* it stands before its failure */
};

struct script_task_state {
    uint64_t value;   /* the register */
    uint64_t history; /* a hash of all values it ever had */
    uint64_t seen;    /* parked: until it is another one */
    uint32_t at;      /* instruction */
    uint32_t round;   /* of the barrier at which it waits */
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
    uint32_t sleepers[SCRIPT_OBJECTS];           /* of a condition variable: bits of tasks */
    uint32_t writers[SCRIPT_OBJECTS];            /* of a read-write lock: holder + 1 */
    uint32_t readers[SCRIPT_OBJECTS];            /* bits of tasks, */
    uint8_t reads[SCRIPT_OBJECTS][SCRIPT_TASKS]; /* and how often each has locked it */
    uint32_t semaphores[SCRIPT_OBJECTS];
    uint32_t arrived[SCRIPT_OBJECTS]; /* at a barrier */
    uint32_t rounds[SCRIPT_OBJECTS];
    uint32_t onces[SCRIPT_OBJECTS]; /* 0 not yet, 1 + task running, ONCE_DONE */
    struct script_mailbox mailboxes[SCRIPT_OBJECTS];
    uint32_t outcome; /* enum outcome */
    uint32_t orphans; /* bits of mutexes that were abandoned */
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

/* Does a task of this script look whether another one has ended? */
bool script_sees_ends(const struct script *script);

void scripted_init(struct scripted *system, const struct script *script);

/* After the test has put back an earlier state. */
void scripted_restored(struct scripted *system);

/* Equal for equal states. Who moved last is no part of it, nor whether a task that awaits a value has
 * looked already. */
uint64_t scripted_fingerprint(const struct scripted *system);

/* One step, for those who drive it by hand. */
void scripted_step(struct scripted *system, uint32_t task);
bool scripted_enabled(const struct scripted *system, uint32_t task);

#endif
