/* native.h - the native substrate: a real C or C++ program, run under control in its own process. */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include "engine/debugger.h"
#include "engine/session.h"
#include "engine/system.h"

extern struct system native_system;

/* Remembers the memory to which every execution goes back; without it, one execution is all. */
void native_keep_memory(void);

/* Runs the program's main up to its first operation, in a fresh world. */
void native_start_main(void);

/* What the process does instead of main when a session is there; defined by src/runtime, which knows
 * strategies and analyses. Never returns. */
_Noreturn void native_take_over(struct session *session);

/* What the session wants to be loaded, before anything of the program's memory is kept; of src/runtime,
 * too. */
void native_load(struct session *session);

/* Tasks and locks as they are now, for a debugger. */
void native_refresh(struct debugger *debugger);

/* A system call that leaves errno alone: it may be any task's. */
long native_syscall(long number, ...);

/* Makes room for that many tasks, and for all that any execution has had: before memory is kept, and
 * before a fork copies it. */
void native_prepare_tasks(uint32_t count);

#endif
