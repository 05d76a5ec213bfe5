/* operation.h - how an operation is made: published, waited for, recorded (operation.c). */
#ifndef NATIVE_OPERATION_H
#define NATIVE_OPERATION_H

#include "event/event.h"
#include "execution/execution.h"
#include "substrates/native/tasks/task.h"

/* How an operation that can block says so. */
struct wait_ops {
    bool (*ready)(const struct task *task);
    /* The n-th task that would have to move first, see engine/system.h. NULL: no task in
     * particular. */
    uint32_t (*holder)(const struct task *task, uint32_t nth);
};

/* Stands before the operation that the task has published until the engine chooses the task.
 * Returns the event, to be filled. */
struct event *perform_published(struct task *task);

/* Publishes an operation, mostly a literal. Field by field: so the compiler writes each field of
 * the literal where it belongs. It would copy a whole literal in wide words, and these loads would
 * wait until the fields are in the cache. */
static inline void publish_op(struct task *task, const struct op *op) {
    struct op *to = &task->op;
    to->kind = op->kind;
    to->order = op->order;
    to->size = op->size;
    to->timed = op->timed;
    to->target = op->target;
    to->object = op->object;
    to->object2 = op->object2;
    to->value = op->value;
    to->pc = op->pc;
}

/* Publishes `op` and stands before it. `wait` NULL: the operation never blocks. */
static inline struct event *perform(struct task *task, const struct op *op,
                                    const struct wait_ops *wait, struct object *object) {
    publish_op(task, op);
    task->wait = wait;
    task->object = object;
    return perform_published(task);
}

/* Begins the event of the operation of a task that was chosen. */
struct event *begin_event(const struct task *task);
/* The effect of the event is done. */
void happened(struct event *event);

/* A new execution begins: no operation is under way. */
void operations_reset(void);
/* A task was chosen, and its operation has not happened yet. */
bool operation_under_way(void);
/* A signal has cut the operation short: the operation counts as done. */
void operation_cut_short(void);

/* Whether the task can move (for a thread). */
bool task_ready(const struct task *task);

/* One of 0 .. count-1, within the present step. */
uint32_t choose(struct task *task, enum choice_tag tag, uint32_t count);
/* heddle_choose(): an operation with a choice in it (api.c). */
int choose_value(int count, uint64_t pc);

#endif
