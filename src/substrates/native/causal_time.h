/* causal_time.h - a task that has seen what another one did does not read an earlier time than that one had.
 *
 * Each task has its own clock (time.c). An operation brings its task at least to the time of the operations that it
 * depends on and can have learned from. So the time that a task reads follows from what happens before, and the order
 * of independent operations has no part in it, which a reduction counts on. A store learns nothing.
 *
 * Nothing is kept until the first clock of an execution has moved: until then all of them show the same. */
#ifndef NATIVE_CAUSAL_TIME_H
#define NATIVE_CAUSAL_TIME_H

#include "substrates/native/runtime.h"

/* The clock of a task moves, by itself. */
void causal_time_begins(void);
/* The event has happened: carries times over. To be called only if rt.times is there. */
void causal_time_carry(struct task *task, const struct event *event);
void causal_time_fingerprint(struct fingerprint *out);

#endif
