/* sleepers.c - see sleepers.h.
 *
 * A sleeper stands at the operation by which it will go on, and its `woken` is not set: that is all
 * the state there is. There is no queue. POSIX promises no order, so whoever wakes one of several
 * chooses among all of them, in the order of task numbers. */
#include "substrates/native/sleepers.h"

static bool asleep(const struct task *task) {
    switch (task->op.kind) {
    case OP_COND_SLEEP:
    case OP_COND_WAKE:
    case OP_BARRIER_LEAVE:
    case OP_FUTEX_SLEEP: return task->state == TASK_LIVE && !task->woken;
    }
    return false;
}

struct task **sleepers_on(uint64_t object, uint32_t *count) {
    static struct task *sleepers[SESSION_TASKS];
    *count = 0;
    for (uint32_t i = 0; i < rt.live_count; i++) {
        struct task *task = &rt.tasks[rt.live[i]];
        if (task->op.object == object && asleep(task))
            sleepers[(*count)++] = task;
    }
    return sleepers;
}
