/* deadline.h - deadlines of timed waits. Whether a timed wait times out is a choice, whatever
 * its deadline is. But after a time-out, the clock of the task must have reached the deadline. */
#ifndef NATIVE_DEADLINE_H
#define NATIVE_DEADLINE_H

#include <errno.h>
#include <stdbool.h>

#include "substrates/native/calls/virtual_time.h"

/* POSIX asks this of any deadline. */
static inline bool deadline_valid(const struct timespec *deadline) {
    return deadline->tv_nsec >= 0 && deadline->tv_nsec < 1000000000;
}

/* The task has waited until the deadline. Returns the error of the call that waited: ETIMEDOUT,
 * or EINVAL if the deadline is invalid. */
static inline int deadline_passed(struct task *task, clockid_t clock,
                                  const struct timespec *deadline) {
    if (!deadline_valid(deadline))
        return EINVAL;
    clock_reach(task, clock, deadline);
    return ETIMEDOUT;
}

#endif
