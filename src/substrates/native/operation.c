/* operation.c - how an operation is made: published, parked in front of, recorded. */
#include "substrates/native/runtime.h"

#include <stdarg.h>

#include "engine/debugger.h"
#include "substrates/native/causal_time.h"
#include "substrates/native/shared_stack.h"
#include "substrates/native/thread_end.h"

/* Operations that a waiting loop is made of: they do not block, and may change nothing. */
static const bool polls[OP_KINDS] = {
    [OP_LOAD] = true,          [OP_VOLATILE_READ] = true,
    [OP_PLAIN_READ] = true,    [OP_CAS] = true,
    [OP_RMW] = true,           [OP_YIELD] = true,
    [OP_SLEEP] = true,         [OP_TRYLOCK] = true,
    [OP_TRY_READ_LOCK] = true, [OP_TRY_WRITE_LOCK] = true,
    [OP_SPIN_TRYLOCK] = true,  [OP_SEM_TRYWAIT] = true,
    [OP_CANCEL_POINT] = true,  [OP_SEM_GETVALUE] = true,
    [OP_TRY_RECEIVE] = true,   [OP_TRYJOIN] = true,
    [OP_COND_SLEEP] = true,    [OP_FUTEX_SLEEP] = true,
};

/* These go by the address alone: POSIX allows to destroy a condition variable once its sleepers are
 * woken, and the kernel does not look at the word of a futex when it wakes, or is woken. An annotation
 * takes an address for a name. */
static const bool goes_by_address[OP_KINDS] = {
    [OP_COND_WAKE] = true,        [OP_FUTEX_SLEEP] = true,      [OP_FUTEX_WAKE] = true,
    [OP_ANNOTATE_RELEASE] = true, [OP_ANNOTATE_ACQUIRE] = true,
};

static const char blocked_inside[] = "blocks inside an atomic section, where nobody else can move";

static struct event *recorded; /* where rt.event belongs */

struct event *begin_event(const struct task *task) {
    if (__builtin_expect(rt.debugged, 0))
        debugger_begins(task);
    recorded = rt.host->ops->event(rt.host, task->id, &task->op);
    rt.event = (struct event){.op = task->op, .task = task->id};
    return &rt.event;
}

/* It may have been destroyed, or its memory freed, while the task stood before its operation. */
static void check_object(struct task *task) {
    const struct op *op = &task->op;
    if (in_heap(op->object) && !goes_by_address[op->kind])
        heap_check(task, op->object, op->size ? op->size : 1,
                   op_info(op->kind)->effect == EFFECT_WRITE, op->pc);
    else if (op->size > 0 && in_slots(op->object))
        check_thread_local(task, op->object, op_info(op->kind)->effect == EFFECT_WRITE, op->pc);
    if (in_heap(op->object2))
        heap_check(task, op->object2, 1, true, op->pc);
    if (task->object != NULL && task->object->destroyed)
        found(task, FINDING_MISUSE, op->object, op->pc, "use of a destroyed object");
}

/* Inside an atomic section an operation is part of the section's step: it happens at once. */
static struct event *perform_nested(struct task *task) {
    if (task->wait != NULL && !task->wait->ready(task))
        found(task, FINDING_MISUSE, task->op.object, task->op.pc, "%s %s",
              op_info(task->op.kind)->name, blocked_inside);
    check_object(task);
    struct event *event = begin_event(task);
    event->flags = EVENT_NESTED;
    return event;
}

/* A condition variable's sleeper is at a cancellation point and gets its mutex back first. */
static bool cancels(const struct task *task) {
    return cancel_due(task) && task->op.kind != OP_COND_SLEEP && task->op.kind != OP_COND_WAKE;
}

struct event *perform_published(struct task *task) {
    const struct op *op = &task->op;
    if (__builtin_expect(stack_used_up(task, read_sp()), 0))
        stack_overflow(task, op->pc);
    if (op->size > 0) /* memory, not an object: those are nobody's variables */
        stack_look_out(task, op->object, op->size);
    if (__builtin_expect(task->atomic_depth > 0, 0) && !atomic_function_left(task))
        return perform_nested(task);
    if (__builtin_expect(task->machine != NULL, 0))
        return machine_performs(task);
    task->operations++;
    if (task->wait == NULL && polls[op->kind])
        task->wait = spin_visit(task, op);
    fiber_park(task);
    rt.at_operation = true;
    if (task->wait != NULL && spin_parked(task))
        spin_woken(task);
    if (__builtin_expect(task->cancel_asynchronous, 0) && cancels(task))
        cancel_instead(task);
    check_object(task);
    return begin_event(task);
}

void happened(struct event *event) {
    if (event == &rt.event) {
        const volatile struct event *filled =
            event; /* just now, in parts: so it is read in parts */
        recorded->op = event->op;
        recorded->flags = filled->flags;
        recorded->result = filled->result;
        recorded->note = filled->note;
        event = recorded;
    }
    rt.host->ops->happened(rt.host, event);
    rt.at_operation = false;
    if (__builtin_expect(rt.debugged, 0))
        debugger_refresh();
    struct task *task = &rt.tasks[event->task];
    if (__builtin_expect(rt.times != NULL, 0))
        causal_time_carry(task, event);
    if (__builtin_expect(in_slots(event->op.object), 0) &&
        op_info(event->op.kind)->effect == EFFECT_WRITE)
        spin_disturbed(task, event->op.object, event->op.size);
    bool compared = rt.session->compares_states && task->machine == NULL;
    if (__builtin_expect(task->polled.suspect || compared, 0))
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
