/* operation.c - how an operation is made: published, waited for, recorded. */
#include "substrates/native/tasks/operation.h"

#include <stdarg.h>

#include "engine/debugger.h"
#include "engine/session.h"
#include "substrates/native/calls/causal_time.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/shared_stack.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/runtime.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/await.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/section.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/stack_room.h"
#include "substrates/native/tasks/thread_end.h"
#include "substrates/native/tasks/trial.h"

static const char blocked_inside[] =
    "blocks inside an atomic section, where no other task can move";

/* The event of the operation under way, until happened() copies it into the engine's record. The
 * address of that record depends on the length of the execution. A copy of it would stay on the
 * task's stack, and equal states would look different. The address of `filling` is always the
 * same. */
static struct event filling;
static struct event *recorded; /* the engine's record for `filling` */
static bool under_way;         /* a task was chosen, and its operation has not happened yet */

bool task_ready(const struct task *task) {
    if (task->wait == NULL || task->wait->ready(task))
        return true;
    return (task->cancel.at_point || task->cancel.asynchronous) && cancel_due(task);
}

void operations_reset(void) {
    under_way = false;
    awaits_reset();
}

bool operation_under_way(void) {
    return under_way;
}

void operation_cut_short(void) {
    if (under_way)
        happened(&filling);
}

/* Inline where most operations begin. */
static inline __attribute__((always_inline)) struct event *begin(const struct task *task) {
    if (__builtin_expect(debugging.on, 0))
        debugger_begins(task);
    recorded = rt.host->ops->event(rt.host, task->id, &task->op);
    filling.op = task->op;
    filling.task = task->id;
    filling.flags = filling.stack = filling.note = 0;
    filling.result = 0;
    return &filling;
}

struct event *begin_event(const struct task *task) {
    return begin(task);
}

/* The object may have been destroyed, or its memory freed, while the task stood before its
 * operation. */
static void check_object(struct task *task) {
    const struct op *op = &task->op;
    if (in_heap(op->object) && !op_has(op->kind, BY_ADDRESS))
        heap_check(task, op->object, op->size ? op->size : 1,
                   op_info(op->kind)->effect == EFFECT_WRITE, op->pc);
    else if (op->size > 0 && in_slots(op->object))
        check_thread_local(task, op->object, op_info(op->kind)->effect == EFFECT_WRITE, op->pc);
    if (in_heap(op->object2))
        heap_check(task, op->object2, 1, true, op->pc);
    if (task->object != NULL && task->object->destroyed)
        found(task, FINDING_MISUSE, op->object, op->pc, "use of a destroyed object");
}

/* Inside an atomic section an operation is part of the section's step, so it happens at once. */
static struct event *perform_nested(struct task *task) {
    if (task->wait != NULL && !task->wait->ready(task))
        found(task, FINDING_MISUSE, task->op.object, task->op.pc, "%s %s",
              op_info(task->op.kind)->name, blocked_inside);
    check_object(task);
    struct event *event = begin_event(task);
    event->flags = EVENT_NESTED;
    return event;
}

/* Returns true if a pending cancellation acts instead of the operation. Not for a task that sleeps
 * on a condition variable: it must first get its mutex back, and cond.c then cancels it. */
static bool cancels(const struct task *task) {
    return cancel_due(task) && !op_has(task->op.kind, SLEEPS | WITH_MUTEX);
}

/* How a task waits that polls; NULL: it does not. */
static __attribute__((noinline)) const struct wait_ops *polls(struct task *task,
                                                              const struct op *op) {
    const struct wait_ops *parked = spin_visit(task, op);
    if (rt.session->live.looks == NULL)
        return parked;
    const struct wait_ops *awaits = await_visit(task, op);
    return parked != NULL ? parked : awaits;
}

/* The task was chosen, and may have waited in a loop before. */
static __attribute__((noinline)) void wait_is_over(struct task *task) {
    if (spin_parked(task))
        spin_woken(task);
    else if (await_waits(task) && !trial_on)
        await_passes(task);
}

struct event *perform_published(struct task *task) {
    const struct op *op = &task->op;
    if (__builtin_expect(stack_used_up(task, read_sp()), 0))
        stack_overflow(task, op->pc);
    if (op->size > 0) /* an access of memory: operations on mutexes and the like have size 0 */
        stack_look_out(task, op->object, op->size);
    if (__builtin_expect(task->section.depth > 0, 0) && !atomic_function_left(task))
        return perform_nested(task);
    if (__builtin_expect(task->machine != NULL, 0))
        return machine_performs(task);
    task->polling.operations++;
    if (__builtin_expect(trial_on, 0))
        return trial_performs(task);
    if (task->wait == NULL && op_has(op->kind, POLLS)) {
        task->wait = polls(task, op);
        if (__builtin_expect(trial_on, 0))
            return trial_performs(task);
    }
    fiber_park(task);
    if (task->wait != NULL) {
        wait_is_over(task);
        if (__builtin_expect(trial_on, 0))
            return trial_performs(task);
    }
    under_way = true;
    if (__builtin_expect(task->cancel.asynchronous, 0) && cancels(task))
        cancel_instead(task);
    check_object(task);
    struct event *event = begin(task);
    if (task->wait != NULL && await_waits(task))
        event->flags |= EVENT_WAITED;
    return event;
}

void happened(struct event *event) {
    if (event == &filling) {
        /* These fields were written one by one just now. They are read one by one, too
         * (volatile): a wide load of several of them would have to wait until all are in the
         * cache. */
        const volatile struct event *filled = event;
        recorded->op = event->op;
        recorded->flags = filled->flags;
        recorded->result = filled->result;
        recorded->note = filled->note;
        event = recorded;
    }
    rt.host->ops->happened(rt.host, event);
    under_way = false;
    if (__builtin_expect(debugging.on, 0))
        debugger_refresh();
    struct task *task = task_at(event->task);
    if (__builtin_expect(causal_times.at != NULL, 0))
        causal_time_carry(task, event);
    /* The write may be to the stack of a task that waits in a loop. spin.c must know it, because it
     * takes changes there for those of the task itself. */
    if (__builtin_expect(in_slots(event->op.object), 0) &&
        op_info(event->op.kind)->effect == EFFECT_WRITE)
        spin_disturbed(task, event->op.object, event->op.size);
    /* Our frames have left values below the program's frames, where frames of the program will
     * stand later. The values depend on the search. They are cleared if the task is suspect
     * (spin.c), or if the strategy compares states. Machines clear their stacks themselves
     * (machines/step.c). */
    bool compared = rt.session->live.states.compared && task->machine == NULL;
    if (__builtin_expect(task->polling.first.suspect || compared, 0))
        spin_wipe();
}

struct choosing {
    const struct task *task;
    enum choice_tag tag;
    uint32_t count;
};

static uint64_t ask_for_choice(uint64_t argument) {
    const struct choosing *choosing = (const struct choosing *)argument;
    return rt.host->ops->choose(rt.host, choosing->tag, choosing->task->id, choosing->count);
}

uint32_t choose(struct task *task, enum choice_tag tag, uint32_t count) {
    const struct choosing choosing = {task, tag, count};
    return count > 1 ? (uint32_t)fiber_on_engine_stack(ask_for_choice, (uint64_t)&choosing) : 0;
}
