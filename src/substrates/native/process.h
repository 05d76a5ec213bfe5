/* process.h - the end of the tested process, as far as one execution is concerned. */
#ifndef NATIVE_PROCESS_H
#define NATIVE_PROCESS_H

#include "substrates/native/runtime.h"

/* The last task ends, and the process with it: exit handlers run on its fiber. */
_Noreturn void process_exit_last(struct task *task);

/* The execution is over; a status that is not zero is a finding. */
_Noreturn void process_is_over(struct task *task, int status, uint64_t pc);

/* Called once, before any handler of the program is registered: what runs after all of them. */
void process_register_end(void);

/* Replace the loader's own clean-up, which is slow and concerns libraries that stay. */
void process_find_destructors(void);
void process_run_destructors(void);

#endif
