/* causal_time.h - a task that has seen what another one did does not read an earlier time than
 * the other had.
 *
 * Each task has its own clock (time.c). An operation moves the clock of its task at least to the
 * time of the operations that it depends on and can have learned from. So the time that a task
 * reads follows from what happens before. The order of independent operations does not matter,
 * which reductions rely on. A store learns nothing.
 *
 * Nothing is kept until the first clock of an execution has moved: until then all clocks show
 * the same. */
#ifndef NATIVE_CAUSAL_TIME_H
#define NATIVE_CAUSAL_TIME_H

#include "substrates/native/memory/scratch.h"

struct event;
struct fingerprint;
struct task;

extern struct scratch_root causal_times; /* at == NULL: no clock of this execution has moved yet */

/* The clock of a task moves by itself. */
void causal_time_begins(void);
/* The event has happened: carries times over. Only if causal_times.at is not NULL. */
void causal_time_carry(struct task *task, const struct event *event);
/* The same for a plain access within an atomic section. */
void causal_time_carry_access(struct task *task, uint64_t address, uint32_t size, bool write);
void causal_time_fingerprint(struct fingerprint *out);

#endif
