/* signal.h - the signal handlers and masks of the program (signal.c, jump.c). */
#ifndef NATIVE_SIGNAL_H
#define NATIVE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct fingerprint;
struct task;

/* Before main: takes over the handlers and the mask that constructors have set, or the process
 * that started the program. */
void signals_inherit(void);
void signals_to_first_task(struct task *task);
/* Whether the program has a handler for the signal that would run now. */
bool signal_has_handler(const struct task *task, int signal);
/* Sets the mask of the task. Pending signals that are not blocked any more arrive. */
void signal_set_mask(struct task *task, uint64_t blocked, uint64_t pc);
/* jump.c: the function behind __sigsetjmp. */
void jump_resolve(void *function);
void actions_fingerprint(struct fingerprint *out);
/* Runs the program's handler, which exists, on the task's own stack, with the signals blocked
 * that the handler wants. */
void signal_run_handler(struct task *task, int signal, siginfo_t *info, void *context, uint64_t pc);

#endif
