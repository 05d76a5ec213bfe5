/* deadline.h - deadlines of timed waits. Whether a timed wait times out is a choice point, whatever its
 * deadline; but afterwards the time must have come. */
#ifndef NATIVE_DEADLINE_H
#define NATIVE_DEADLINE_H

#include <errno.h>

#include "substrates/native/virtual_time.h"

/* What POSIX asks of any deadline. */
static inline bool deadline_valid(const struct timespec *deadline) {
    return deadline->tv_nsec >= 0 && deadline->tv_nsec < 1000000000;
}

/* The task has waited until then. Returns the error of the call that waited: ETIMEDOUT, or EINVAL if
 * there is no such moment. */
static inline int deadline_passed(struct task *task, clockid_t clock,
                                  const struct timespec *deadline) {
    if (!deadline_valid(deadline))
        return EINVAL;
    clock_reach(task, clock, deadline);
    return ETIMEDOUT;
}

#endif
