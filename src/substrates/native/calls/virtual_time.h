/* virtual_time.h - what other operations need of the clocks (time.c). */
#ifndef NATIVE_VIRTUAL_TIME_H
#define NATIVE_VIRTUAL_TIME_H

#include <stdint.h>
#include <time.h>

struct task;

/* A wait of the task until that moment of that clock has timed out, so the task's clock has
 * reached the moment. Every timed operation that times out must call this, so that a later look
 * at the clock fits. */
void clock_reach(struct task *task, clockid_t clock, const struct timespec *deadline);

/* Time passes for this task alone. */
void move_clock(struct task *task, uint64_t duration_ns);

/* The clock of main starts where that of the constructors stood. */
void clock_to_first_task(struct task *task);

/* Sleeps: an operation and a cancellation point. The duration passes on the task's own clock. */
void sleep_for(struct task *task, uint64_t duration_ns, uint64_t pc);

#endif
