/* fingerprint.c - the state of a program with threads, in 128 bits.
 *
 * The state consists of the memory that differs from the entry of main, the heap, the
 * synchronisation objects and, for each task, its next operation, its stack and its registers.
 * Counters (operations, effects, versions) are left out, and so are the addresses of our own
 * records: a pointer to one of them, which our frames have on the stacks of tasks, counts as the
 * object to which it points.
 *
 * The whole stack counts, down to where the task stands, with our own frames. Some arguments are
 * nowhere else, for example the value that a compare-exchange would store. So unused slots count
 * too, and two equal states may be told apart; two different states are never taken for equal.
 * Our own traces in unused slots depend on the search, and are cleared at the end of each
 * operation (operation.c). */
#include <stdio.h>
#include <string.h>

#include "engine/session.h"
#include "event/op_kind.h"
#include "substrates/native/calls/causal_time.h"
#include "substrates/native/calls/signal.h"
#include "substrates/native/memory/annotations.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/program/process.h"
#include "substrates/native/runtime.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/stack_room.h"
#include "substrates/native/tasks/thread_end.h"
#include "substrates/native/tasks/traits.h"

enum { PIECE = 64 }; /* words of a stack that are hashed at a time */

static void add_stack(struct fingerprint *out, const struct task *task) {
    const uint64_t *from = task->fiber.context, *top = (const uint64_t *)slot_stack_top(task->id);
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

/* Adds the operation before which the task stands. The round of a barrier is only a counter, and
 * is left out. */
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
    return (uint64_t)task->thread.detached | (uint64_t)task->thread.joined << 1 |
           (uint64_t)task->cancel.pending << 2 | (uint64_t)task->cancel.disabled << 3 |
           (uint64_t)task->cancel.asynchronous << 4 | (uint64_t)task->cancel.at_point << 5 |
           (uint64_t)task->end.exiting << 6 | (uint64_t)task->woken << 7 |
           (uint64_t)(task->clock.effects == task->effects) << 8;
}

/* Adds the facts about a task, also of one that has ended. */
static void add_facts(struct fingerprint *out, const struct task *task) {
    const uint64_t facts[] = {task->id,
                              task->state,
                              flags_of(task),
                              task->child_count,
                              (uint64_t)task->thread.result,
                              task->end.exit_pc,
                              task->locks_held,
                              (uint64_t)task->end.cleanup,
                              task->clock.ns,
                              task->clock.tick_ns,
                              task->clock.place,
                              task->section.depth,
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

/* Whether a task runs on a stack that the program made itself, for example a coroutine's. The
 * program's frames cannot be told from ours there. */
static bool stands_elsewhere(void) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        const struct task *task = live_task(i);
        if (!own_stack(task, (uint64_t)task->fiber.context))
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
        snprintf(rt.session->live.states.unsavable, sizeof rt.session->live.states.unsavable,
                 "a task runs on a stack that the program made itself");
        return false;
    }
    memory_fingerprint(&parts);
    heap_fingerprint(&parts);
    objects_fingerprint(&parts);
    causal_time_fingerprint(&parts);
    fingerprint_add(&parts, &parts, sizeof parts);
    bool over =
        progress.outcome != OUTCOME_RUNNING; /* then it does not matter which tasks were there */
    for (uint32_t id = 0; id < rt.session->result.tasks.count && !over; id++)
        if (task_at(id)->state != TASK_UNUSED)
            add_task(&parts, task_at(id));
    keys_fingerprint(&parts);
    actions_fingerprint(&parts);
    annotations_fingerprint(&parts);
    fingerprint_add_number(&parts, exit_handlers.all);
    fingerprint_add_number(&parts,
                           tasks_prepared()); /* the memory at the entry of main depends on it */
    fingerprint_add_number(&parts, progress.outcome);
    *out = parts;
    return true;
}
