/* virtual_time.h - what other operations need of the clocks (time.c). */
#ifndef NATIVE_VIRTUAL_TIME_H
#define NATIVE_VIRTUAL_TIME_H

#include <time.h>

#include "substrates/native/runtime.h"

/* A wait of the task until that moment of that clock gave up: it is that late now. To be called by
 * every timed operation that times out, so that what looks at the clock afterwards sees it. */
void clock_reach(struct task *task, clockid_t clock, const struct timespec *deadline);

/* So much time passes for the task alone. */
void move_clock(struct task *task, uint64_t duration_ns);

/* Main goes on where the clock of the constructors stood. */
void clock_to_first_task(struct task *task);

/* Sleeps: an operation, a cancellation point; its duration passes on the task's own clock. */
void sleep_for(struct task *task, uint64_t duration_ns, uint64_t pc);

#endif
