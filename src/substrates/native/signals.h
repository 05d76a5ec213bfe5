/* signals.h - see signals.c. */
#ifndef NATIVE_SIGNALS_H
#define NATIVE_SIGNALS_H

#include <signal.h>

#include "substrates/native/runtime.h"

void signals_install(void);

/* --- handlers and masks (calls_signal.c) --- */

/* Before main: what constructors have set, and whoever started the program. */
void signals_inherit(void);
void signals_to_first_task(struct task *task);
/* Whether the program has a handler for it that would run now. */
bool signal_has_handler(const struct task *task, int signal);
/* The mask of the task; what is pending and not blocked any more arrives. */
void signal_set_mask(struct task *task, uint64_t blocked, uint64_t pc);
/* jump.c: the function behind __sigsetjmp. */
void jump_resolve(void *function);
/* On the task's own stack: the handler, which is there, with the signals blocked that it wants blocked. */
void signal_run_handler(struct task *task, int signal, siginfo_t *info, void *context, uint64_t pc);

#endif
