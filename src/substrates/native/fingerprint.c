/* fingerprint.c - the state of a thread program in 128 bits.
 *
 * It is made of the memory that differs from what it was at the entry of main, the heap, the
 * synchronisation objects, and of each task what it is about to do, its stack and its registers. What only
 * counts (operations, effects, versions) is left out, and so is where our own records stand: pointers to
 * them, which our frames have on the stacks of tasks, count as what they point to.
 *
 * The whole stack is taken, down to where the task stands, with our own frames: there are arguments that
 * stand nowhere else, such as what a compare-exchange would store. So dead slots count too, and two states
 * may be told apart that are the same; never the other way round. What we leave in them ourselves depends on
 * the search, and is wiped at the end of each operation (operation.c). */
#include <stdio.h>
#include <string.h>

#include "substrates/native/causal_time.h"
#include "substrates/native/runtime.h"
#include "substrates/native/traits.h"

enum { PIECE = 64 }; /* words of a stack at a time */

static void add_stack(struct fingerprint *out, const struct task *task) {
    const uint64_t *from = task->context, *top = (const uint64_t *)slot_stack_top(task->id);
    uint64_t words[PIECE];
    fingerprint_add_number(out, (uint64_t)from);
    while (from < top) {
        uint32_t count = 0;
        for (; count < PIECE && from < top; count++, from++) {
            uint64_t object = object_behind(*from);
            words[count] = object != 0 ? object : *from;
        }
        fingerprint_add(out, words, count * sizeof *words);
    }
}

/* The operation that it stands before. The round of a barrier only counts. */
static void add_operation(struct fingerprint *out, const struct task *task) {
    struct op op;
    memset(&op, 0, sizeof op); /* padding too */
    op.kind = task->op.kind;
    op.order = task->op.order;
    op.size = task->op.size;
    op.timed = task->op.timed;
    op.target = task->op.target;
    op.object = task->op.object;
    op.object2 = task->op.object2;
    op.value = op.kind == OP_BARRIER_LEAVE ? 0 : task->op.value;
    op.pc = task->op.pc;
    fingerprint_add(out, &op, sizeof op);
    fingerprint_add_number(out, (uint64_t)task->wait);
}

static uint64_t flags_of(const struct task *task) {
    return (uint64_t)task->detached | (uint64_t)task->joined << 1 |
           (uint64_t)task->cancel_pending << 2 | (uint64_t)task->cancel_disabled << 3 |
           (uint64_t)task->cancel_asynchronous << 4 | (uint64_t)task->at_cancel_point << 5 |
           (uint64_t)task->exiting << 6 | (uint64_t)task->woken << 7 |
           (uint64_t)(task->clock_effects == task->effects) << 8;
}

/* Of tasks that have ended, too. */
static void add_facts(struct fingerprint *out, const struct task *task) {
    const uint64_t facts[] = {task->id,
                              task->state,
                              flags_of(task),
                              task->child_count,
                              (uint64_t)task->result,
                              task->exit_pc,
                              task->locks_held,
                              (uint64_t)task->cleanup,
                              task->clock_ns,
                              task->clock_tick_ns,
                              task->clock_place,
                              task->atomic_depth,
                              task->annotated.ignores[0],
                              task->annotated.ignores[1],
                              task->annotated.ignores_sync,
                              task->annotated.fiber,
                              task->annotated.fibers};
    fingerprint_add(out, facts, sizeof facts);
    fingerprint_add(out, task->random_state, sizeof task->random_state);
    if (task->traits != NULL)
        fingerprint_add(out, task->traits, sizeof *task->traits);
    thread_data_fingerprint(task, out);
}

static void add_task(struct fingerprint *out, const struct task *task) {
    add_facts(out, task);
    if (task->state != TASK_LIVE)
        return;
    add_operation(out, task);
    add_stack(out, task);
    spin_fingerprint(task, out);
}

/* On a stack of the program's own making, a coroutine's, nobody can tell its frames from ours. */
static bool stands_elsewhere(void) {
    for (uint32_t i = 0; i < rt.live_count; i++) {
        const struct task *task = &rt.tasks[rt.live[i]];
        if (!own_stack(task, (uint64_t)task->context))
            return true;
    }
    return false;
}

bool native_fingerprint(struct system *self, struct fingerprint *out) {
    struct fingerprint parts = {0};
    (void)self;
    if (!native_can_save())
        return false;
    if (stands_elsewhere()) {
        snprintf(rt.session->unsavable, sizeof rt.session->unsavable,
                 "a task runs on a stack of its own");
        return false;
    }
    memory_fingerprint(&parts);
    heap_fingerprint(&parts);
    objects_fingerprint(&parts);
    causal_time_fingerprint(&parts);
    fingerprint_add(&parts, &parts, sizeof parts);
    bool over = rt.outcome != OUTCOME_RUNNING; /* then it does not matter who was there */
    for (uint32_t id = 0; id < rt.session->task_count && !over; id++)
        if (rt.tasks[id].state != TASK_UNUSED)
            add_task(&parts, &rt.tasks[id]);
    keys_fingerprint(&parts);
    actions_fingerprint(&parts);
    annotations_fingerprint(&parts);
    fingerprint_add_number(&parts, rt.exit_handlers.all);
    fingerprint_add_number(&parts, rt.prepared); /* memory at the entry of main depends on it */
    fingerprint_add_number(&parts, rt.outcome);
    *out = parts;
    return true;
}
