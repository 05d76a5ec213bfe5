/* process.h - the end of the tested process, as far as one execution is concerned. */
#ifndef NATIVE_PROCESS_H
#define NATIVE_PROCESS_H

#include <stdint.h>

struct image;
struct task;

struct exit_handlers {
    uint32_t all; /* registered so far */
    uint32_t own; /* without those that the C++ library registers for itself */
};

extern struct exit_handlers exit_handlers;

/* Before main: each execution begins with the handlers that constructors have registered. */
void process_keep_handlers(void);
void process_reset(void);
void process_write(struct image *image);
void process_read(struct image *image);

/* Shows the program's output, if this is a replay. */
void process_flush(void);

/* The last task ends, and the process with it. Exit handlers run on the fiber of the task. */
_Noreturn void process_exit_last(struct task *task);

/* Ends the execution. A status that is not zero is a finding. */
_Noreturn void process_is_over(struct task *task, int status, uint64_t pc);

/* Registers the handler that runs after all others. Called once, before the program registers
 * any. */
void process_register_end(void);

/* These replace the loader's own clean-up, which is slow and destroys libraries that must stay. */
void process_find_destructors(void);
void process_run_destructors(void);

#endif
