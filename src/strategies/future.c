/* future.c - see future.h.
 *
 * A set of tasks is persistent (003, section 3) under two conditions. What the other tasks may do
 * never depends on the next operation of an enabled member. And it can never enable a member that
 * is blocked. The set is made by adding each task that breaks a condition. It is the set of all
 * tasks in three cases:
 * - A task that was not created yet would break a condition.
 * - A member may end the execution. Other tasks that may fail must have been tried by then.
 * - A task polls: it waits for more than the operation that it stands before. */
#include "strategies/future.h"

#include "event/dependence.h"

void future_init(struct future *future, struct pool *pool) {
    *future = (struct future){.pool = pool};
}

void future_begin(struct future *future) {
    future->execution++;
    for (uint32_t i = 0; i < future->task_count; i++)
        future->tasks[i].steps = 0;
}

static struct task_future *task_of(struct future *future, uint32_t task) {
    future->tasks = pool_grow(future->pool, future->tasks, &future->task_capacity, (size_t)task + 1,
                              sizeof *future->tasks);
    if (task >= future->task_count)
        future->task_count = task + 1;
    return &future->tasks[task];
}

/* --- what is known -------------------------------------------------------------------------- */

/* The value does not count: see conflicts(). */
static bool same_op(const struct op *a, const struct op *b) {
    return a->kind == b->kind && a->object == b->object && a->object2 == b->object2 &&
           a->size == b->size && a->target == b->target && a->timed == b->timed;
}

static bool learn(struct future *future, struct task_future *task, const struct known *seen) {
    for (uint32_t i = 0; i < task->count; i++) {
        struct known *known = &task->known[i];
        if (known->fatal != seen->fatal || !same_op(&known->op, &seen->op))
            continue;
        bool later = seen->last > known->last;
        if (later)
            known->last = seen->last;
        return later;
    }
    task->known = pool_grow(future->pool, task->known, &task->capacity, (size_t)task->count + 1,
                            sizeof *task->known);
    task->known[task->count++] = *seen;
    return true;
}

bool future_see(struct future *future, const struct choice *choice) {
    bool new = false;
    for (uint32_t i = 0; i < choice->live; i++) {
        struct task_future *task = task_of(future, choice->pending[i].task);
        const struct known seen = {*choice->pending[i].op, task->steps, false};
        task->execution = future->execution;
        new |= learn(future, task, &seen);
    }
    return new;
}

void future_step(struct future *future, uint32_t task) {
    future->tasks[task].steps++;
}

bool future_see_fatal(struct future *future, uint32_t task) {
    struct task_future *who = task_of(future, task);
    const struct known seen = {
        {.kind = OP_EXIT, .target = NO_TASK}, who->steps > 0 ? who->steps - 1 : 0, true};
    return learn(future, who, &seen);
}

/* --- sets ----------------------------------------------------------------------------------- */

/* Returns true if this task might do something that depends on the operation. */
static bool conflicts(const struct task_future *task, const struct op *op) {
    for (uint32_t i = 0; i < task->count; i++) {
        const struct known *known = &task->known[i];
        if (known->last >= task->steps && dependent(op, &known->op))
            return true;
    }
    return false;
}

static bool may_fail(const struct task_future *task) {
    for (uint32_t i = 0; i < task->count; i++)
        if (task->known[i].fatal && task->known[i].last >= task->steps)
            return true;
    return false;
}

static bool unborn_conflicts(const struct future *future, const struct op *op) {
    for (uint32_t i = 0; i < future->task_count; i++)
        if (future->tasks[i].execution != future->execution && conflicts(&future->tasks[i], op))
            return true;
    return false;
}

static bool waits_for(const struct pending *blocked, uint32_t task) {
    return blocked->op->kind == OP_JOIN && blocked->op->target == task;
}

/* Adds the tasks that break a condition for this member. Returns false if one of them cannot be
 * added. */
static bool complete_for(struct future *future, const struct choice *choice, uint32_t member) {
    const struct pending *pending = &choice->pending[member];
    if (may_fail(&future->tasks[pending->task]) || unborn_conflicts(future, pending->op))
        return false;
    for (uint32_t i = 0; i < choice->live; i++) {
        struct task_future *task = &future->tasks[choice->pending[i].task];
        if (conflicts(task, pending->op) ||
            (member >= choice->count && waits_for(pending, choice->pending[i].task)))
            task->member = future->set;
    }
    return true;
}

/* Returns true if some blocked task may be parked in a loop. Then operations may let that task go
 * on though they do not depend on its own. */
static bool somebody_polls(const struct choice *choice) {
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (!op_wait_is_known(choice->pending[i].op->kind))
            return true;
    return false;
}

static uint32_t members(const struct future *future, const struct choice *choice) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < choice->live; i++)
        count += future_member(future, choice->pending[i].task);
    return count;
}

void future_persistent(struct future *future, const struct choice *choice, uint32_t option) {
    uint32_t before = 0, now = 1;
    bool closed = !somebody_polls(choice);
    future->set++;
    future->tasks[choice->pending[option].task].member = future->set;
    while (closed && before != now) {
        before = now;
        for (uint32_t i = 0; closed && i < choice->live; i++)
            if (future_member(future, choice->pending[i].task))
                closed = complete_for(future, choice, i);
        now = members(future, choice);
    }
    for (uint32_t i = 0; !closed && i < choice->live; i++)
        future->tasks[choice->pending[i].task].member = future->set;
}
