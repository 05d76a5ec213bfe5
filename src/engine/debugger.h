/* debugger.h - what a debugger may know about the replay of a trace, and where it can stop.
 *
 * The tested program exports names for it: the variable `heddle_debugger` and the function
 * `heddle_debugger_stop`, in which a debugger sets a breakpoint. share/heddle_gdb/ reads the
 * variable byte by byte, so that it needs no debug information of ours: the fields below have fixed
 * sizes and no gaps, and whoever changes them changes DEBUGGER_VERSION, in both places. Only a replay
 * with options.debugged fills it. */
#ifndef ENGINE_DEBUGGER_H
#define ENGINE_DEBUGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/finding.h"

#define DEBUGGER_EXPORT __attribute__((visibility("default")))

enum { DEBUGGER_VERSION = 1, DEBUGGER_LOCKS = 1024 };

/* Why heddle_debugger_stop() was called. */
enum debugger_reason {
    DEBUGGER_START = 1, /* before main: the debugger may set stop_at */
    DEBUGGER_EVENT,     /* the event `event` of the task `task` is about to happen */
    DEBUGGER_FINDING,   /* something is wrong, in `task`; `text` says what */
    DEBUGGER_END,       /* the execution is over; `text` says if it was not as recorded */
};

enum debugger_task_state { DEBUGGER_ABSENT, DEBUGGER_NEW, DEBUGGER_LIVE, DEBUGGER_ENDED };

/* What a call preserves, and where it returns to: enough to unwind a stack. */
struct debugger_registers {
    uint64_t rip, rsp, rbp, rbx, r12, r13, r14, r15;
};

/* A task by its number. Its operation is the one before which it stands, or that it is in. */
struct debugger_task {
    uint32_t state;   /* enum debugger_task_state */
    uint32_t enabled; /* it can move */
    uint32_t stands;  /* it has a stack, whose registers are below unless it runs right now */
    uint32_t holder;  /* who would have to move first, or NO_TASK */
    uint32_t kind;    /* of the operation */
    uint32_t target;
    uint64_t pc, object, object2;
    uint64_t stack_low, stack_high;
    struct debugger_registers registers;
};

/* A lock, and one who has it. */
struct debugger_lock {
    uint64_t address;
    uint32_t holder;
    uint32_t count; /* how often */
    char kind[16];  /* "mutex" */
};

struct debugger {
    uint32_t version;
    uint32_t reason;  /* enum debugger_reason */
    uint32_t event;   /* the last that has begun, or is about to: numbered from 1, as in reports */
    uint32_t task;    /* whose event, or whose finding */
    uint32_t stop_at; /* set by the debugger: the next event that it wants to see; 0: none */
    uint32_t task_count, task_size;
    uint32_t lock_count, lock_size; /* of the locks the first DEBUGGER_LOCKS are in the table */
    uint32_t unused;                /* pointers are aligned */
    const struct debugger_task *tasks;
    const struct debugger_lock *locks;
    const char *text;
};

extern DEBUGGER_EXPORT struct debugger heddle_debugger;
DEBUGGER_EXPORT void heddle_debugger_stop(void);
DEBUGGER_EXPORT void heddle_debugger_return(void); /* nothing but that: where a call is to end */

/* Before anything else. `refresh` brings the tables up to date: the system knows how. */
void debugger_start(void (*refresh)(struct debugger *debugger));
void debugger_refresh(void);
/* The event with that number is about to happen. */
void debugger_event(uint32_t event, uint32_t task);
void debugger_found(const struct finding *finding);
void debugger_end(const char *text); /* kept by the caller */

#endif
