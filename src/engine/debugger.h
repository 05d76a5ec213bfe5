/* debugger.h - what a debugger can see of the replay of a trace, and where it can stop.
 *
 * The tested program exports two names: the variable `heddle_debugger`, and the function
 * `heddle_debugger_stop`, in which a debugger sets a breakpoint. share/heddle_gdb/ reads the
 * variable byte by byte, so that it needs no debug information of ours. So the fields below have
 * fixed sizes and no gaps. If you change them, change DEBUGGER_VERSION too, here and in
 * share/heddle_gdb/. Only a replay with options.debugged fills the variable. */
#ifndef ENGINE_DEBUGGER_H
#define ENGINE_DEBUGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "execution/finding.h"

#define DEBUGGER_EXPORT __attribute__((visibility("default")))

enum { DEBUGGER_VERSION = 1, DEBUGGER_LOCKS = 1024 };

/* Why heddle_debugger_stop() was called. */
enum debugger_reason {
    DEBUGGER_START = 1, /* before main: the debugger may set stop_at */
    DEBUGGER_EVENT,     /* the task `task` is about to make the event `event` */
    DEBUGGER_FINDING,   /* there is a finding in `task`; `text` describes it */
    DEBUGGER_END,       /* the execution is over; `text` says so if it was not as recorded */
};

enum debugger_task_state { DEBUGGER_ABSENT, DEBUGGER_NEW, DEBUGGER_LIVE, DEBUGGER_ENDED };

/* The registers that a call preserves, and the return address: enough to unwind a stack. */
struct debugger_registers {
    uint64_t rip, rsp, rbp, rbx, r12, r13, r14, r15;
};

/* A task, by its number. Its operation is the one before which it stands, or the one that it makes
 * now. */
struct debugger_task {
    uint32_t state;   /* enum debugger_task_state */
    uint32_t enabled; /* it can move */
    uint32_t stands;  /* it has a stack; its registers are below, unless it runs right now */
    uint32_t holder;  /* the task that must move first, or NO_TASK */
    uint32_t kind;    /* of the operation */
    uint32_t target;
    uint64_t pc, object, object2;
    uint64_t stack_low, stack_high;
    struct debugger_registers registers;
};

/* A lock, and one task that holds it. */
struct debugger_lock {
    uint64_t address;
    uint32_t holder;
    uint32_t count; /* how often that task has locked it */
    char kind[16];  /* "mutex" */
};

struct debugger {
    uint32_t version;
    uint32_t reason; /* enum debugger_reason */
    /* the number of the last event that has begun, or is about to begin; from 1, as in reports */
    uint32_t event;
    uint32_t task; /* the task of the event, or of the finding */
    /* set by the debugger: the number of the event before which it wants to stop; 0: none */
    uint32_t stop_at;
    uint32_t task_count, task_size;
    uint32_t lock_count, lock_size; /* the first DEBUGGER_LOCKS locks are in the table */
    uint32_t unused;                /* so that the pointers below are aligned */
    const struct debugger_task *tasks;
    const struct debugger_lock *locks;
    const char *text;
};

extern DEBUGGER_EXPORT struct debugger heddle_debugger;
DEBUGGER_EXPORT void heddle_debugger_stop(void);
/* does nothing: the address to which a call made by the debugger returns */
DEBUGGER_EXPORT void heddle_debugger_return(void);

/* Called first. `refresh` brings the tables up to date, because only the system can do that. */
void debugger_start(void (*refresh)(struct debugger *debugger));
void debugger_refresh(void);
/* The event with this number is about to happen. */
void debugger_event(uint32_t event, uint32_t task);
void debugger_found(const struct finding *finding);
void debugger_end(const char *text); /* the text must stay valid */

#endif
