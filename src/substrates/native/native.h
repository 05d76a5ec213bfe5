/* native.h - the native substrate: a real C or C++ program, run under control in its own
 * process. */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include <stdint.h>

struct debugger;
struct session;
struct system;

extern struct system native_system;

/* Keeps the memory to which every execution goes back. Without this call, a process has one
 * execution. */
void native_keep_memory(void);

/* Runs the program's main up to its first operation, in a fresh world. */
void native_start_main(void);

/* Runs the search instead of main, if there is a session. Defined by src/runtime, which knows
 * strategies and analyses. Never returns. */
_Noreturn void native_take_over(struct session *session);

/* Loads the libraries that the session asks for, before any memory of the program is kept.
 * Defined by src/runtime, too. */
void native_load(struct session *session);

/* Shows a debugger the tasks and locks as they are now. */
void native_refresh(struct debugger *debugger);

/* A system call that leaves errno alone, since errno may belong to any task. */
long native_syscall(long number, ...);

/* Makes room for `count` tasks, and for as many as any execution has had. To be called before
 * memory is kept, and before a fork copies it. */
void native_prepare_tasks(uint32_t count);

#endif
