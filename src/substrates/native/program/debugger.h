/* debugger.h - what a debugger sees of a replay, and the registers of tasks that stand
 * (debugger.c). */
#ifndef NATIVE_DEBUGGER_H
#define NATIVE_DEBUGGER_H

#include <stdbool.h>

struct debugger_registers;
struct task;

struct debugging {
    bool on;              /* this is a replay in a debugger */
    bool keeps_registers; /* a task that comes to rest leaves its registers, in this execution */
};

extern struct debugging debugging;

/* Where the registers of a task that stands are kept. They are there only if
 * debugging.keeps_registers. */
struct debugger_registers *debugger_registers_of(const struct task *task);
/* The next event of the task, or a line of its own, is about to happen. Only if debugging.on. */
void debugger_begins(const struct task *task);

#endif
