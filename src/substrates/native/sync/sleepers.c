/* sleepers.c - see sleepers.h.
 *
 * A sleeper stands at the operation by which it will go on, and its `woken` is not set. There is
 * no other state, and no queue. POSIX promises no order, so a call that wakes one of several
 * sleepers chooses among all of them. The choices are in the order of task numbers. */
#include "substrates/native/sync/sleepers.h"

#include "event/op_kind.h"
#include "substrates/native/tasks/task.h"

static bool asleep(const struct task *task) {
    return op_has(task->op.kind, SLEEPS) && task->state == TASK_LIVE && !task->woken;
}

struct task **sleepers_on(uint64_t object, uint32_t *count) {
    static struct task *sleepers[SESSION_TASKS_MAX];
    *count = 0;
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        struct task *task = live_task(i);
        if (task->op.object == object && asleep(task))
            sleepers[(*count)++] = task;
    }
    return sleepers;
}
