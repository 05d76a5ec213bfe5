/* system.c - the native substrate as a struct system: the engine's view of the tested program.
 *
 * A new task first runs alone, up to its first operation, so that every task stands before an
 * operation when the engine is asked. A saved state consists of the pages that executions write,
 * the used parts of heap and stacks, and what we keep beside the program's memory. fingerprint.c
 * says which part of that is the state of the program. */
#include "substrates/native/system.h"

#include <stdio.h>
#include <string.h>

#include "base/image.h"
#include "engine/looks.h"
#include "engine/session.h"
#include "substrates/native/calls/descriptors.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/memory/shared_stack.h"
#include "substrates/native/native.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/program/process.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/await.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/stack.h"
#include "substrates/native/tasks/stack_room.h"

struct runtime rt;

struct progress progress;
static bool starting; /* no decision yet: the engine is asked when all tasks stand */

/* New tasks run up to their first operation. Until then, no other task can notice what they do. */
static struct task *next_fresh(void) {
    if (fresh_tasks.settled == fresh_tasks.count || progress.outcome != OUTCOME_RUNNING)
        return NULL;
    struct task *task = task_at(fresh_tasks.ids[fresh_tasks.settled++]);
    task->state = TASK_LIVE;
    return task;
}

static struct task *chosen(uint32_t id) {
    struct task *task = task_at(id);
    CHECK(task->state == TASK_LIVE);
    progress.moved = id;
    if (task->machine != NULL)
        machine_prepare(task);
    return task;
}

/* The task that moves now; NULL if the execution ends instead. */
static struct task *moves(uint32_t id) {
    if (task_at(id)->failure == NULL)
        return chosen(id);
    progress.moved = id;
    native_fail(task_at(id));
    CHECK(rt.host->ops->next(rt.host, NULL) == NO_TASK);
    return NULL;
}

static inline struct pending pending_of(const struct task *task) {
    if (task->wait == NULL)
        return (struct pending){.task = task->id, .op = &task->op};
    uint32_t look = await_look(task);
    return (struct pending){.task = task->id, .look = look & LOOKS_MAX, .op = &task->op};
}

/* The only live task, if there is but one and it can move; else NULL. */
static const struct pending *alone(void) {
    static struct pending alone;
    const struct task *task = live_task(0);
    if (live_tasks.count != 1 || progress.outcome != OUTCOME_RUNNING || !task_ready(task))
        return NULL;
    alone = pending_of(task);
    return &alone;
}

struct task *native_next(void) {
    struct task *fresh = next_fresh();
    if (fresh != NULL)
        return fresh;
    fresh_tasks.count = fresh_tasks.settled = 0;
    if (starting)
        return NULL;
    uint32_t id = rt.host->ops->next(rt.host, alone());
    return id == NO_TASK ? NULL : moves(id);
}

static void start(struct system *self, struct host *host) {
    (void)self;
    memory_restore();
    heap_restore();
    tasks_prepare();
    tasks_reset();
    objects_reset();
    slots_reset();
    monitors_reset();
    close_opened();
    scratch_reset();
    rt.host = host;
    progress = (struct progress){OUTCOME_RUNNING, NO_TASK};
    process_reset();
    operations_reset();
    forget_lasting_calls();
    debugging.keeps_registers =
        debugging.on || host->evidence || rt.session->request.options.mode == MODE_SIMULATE;
    stack_reset();
    stacks_begin();
    starting = true;
    native_start_main();
    fiber_run(next_fresh());
    machine_has_left();
    starting = false;
}

static void say_unsavable(const char *why, const char *call) {
    snprintf(rt.session->live.states.unsavable, sizeof rt.session->live.states.unsavable, "%s%s",
             why, call);
}

/* Open files belong to the kernel and cannot be put back. Neither can other effects outside of
 * the memory. */
bool native_can_save(void) {
    if (made_lasting_call() == NULL && memory_is_saved() && !any_opened())
        return true;
    if (made_lasting_call() != NULL)
        say_unsavable("it had effects outside of its memory, which cannot be put back, by ",
                      made_lasting_call());
    else if (!memory_is_saved())
        say_unsavable("each execution has a process of its own", "");
    else
        say_unsavable("it has a file or a socket open", "");
    return false;
}

static bool save(struct system *self, struct image *image) {
    (void)self;
    if (!native_can_save())
        return false;
    memory_write(image);
    heap_write(image);
    tasks_write(image);
    scratch_write(image);
    objects_write(image);
    process_write(image);
    image_write_number(image, progress.moved);
    return !image->full;
}

static void load(struct system *self, struct host *host, struct image *image) {
    (void)self;
    memory_read(image);
    heap_read(image);
    tasks_read(image);
    scratch_read(image);
    objects_read(image);
    process_read(image);
    progress = (struct progress){OUTCOME_RUNNING, (uint32_t)image_read_number(image)};
    close_opened();
    rt.host = host;
    debugging.keeps_registers = false;
    operations_reset();
    forget_lasting_calls();
    stack_reset();
    stacks_begin();
}

/* What the choices have told the engine, to say what has changed since the last one. */
static struct {
    uint64_t number;                     /* of the last choice */
    uint64_t stood[SESSION_TASKS_MAX];   /* how each task stood when it was told last */
    uint32_t changed[SESSION_TASKS_MAX]; /* places of tasks that stand otherwise now */
} told;

/* Tells how a task stands. Returns true if it stands otherwise than in the choice before. */
static inline bool tell(const struct task *task, bool enabled, uint64_t number) {
    enum { NUMBER_SHIFT = 16 };
    uint64_t stands = (uint64_t)task->op.kind << 1 | enabled, before = told.stood[task->id];
    told.stood[task->id] = number << NUMBER_SHIFT | stands;
    return before != ((number - 1) << NUMBER_SHIFT | stands);
}

static void pending(struct system *self, struct choice *choice) {
    static struct pending states[SESSION_TASKS_MAX];
    static uint32_t blocked[SESSION_TASKS_MAX];
    uint32_t moved = progress.moved, live = live_tasks.count;
    uint32_t enabled_count = 0, blocked_count = 0, changed_count = 0;
    uint64_t number = ++told.number;
    (void)self;
    for (uint32_t i = 0; i < live; i++) {
        struct task *task = live_task(i);
        if (!task_ready(task)) {
            blocked[blocked_count++] = task->id;
            continue;
        }
        if (tell(task, true, number) || task->id == moved)
            told.changed[changed_count++] = enabled_count;
        states[enabled_count++] = pending_of(task);
    }
    for (uint32_t i = 0; i < blocked_count; i++) {
        const struct task *task = task_at(blocked[i]);
        if (tell(task, false, number) || task->id == moved)
            told.changed[changed_count++] = enabled_count + i;
        states[enabled_count + i] = pending_of(task);
        states[enabled_count + i].idle = spin_idle(task);
    }
    *choice = (struct choice){
        .tag = CHOICE_SCHEDULE,
        .count = enabled_count,
        .task = moved,
        .live = live,
        .pending = states,
        .number = number,
        .changed_count = changed_count,
        .changed = told.changed,
    };
}

/* A machine that waits within a reaction comes back to this loop. The loop asks for the next
 * task once all slots are at rest. */
void native_run(struct system *self, uint32_t id) {
    struct task *task = moves(id);
    (void)self;
    while (task != NULL) {
        fiber_run(task);
        task = machine_has_left() ? native_next() : NULL;
    }
}

enum outcome native_outcome(struct system *self) {
    (void)self;
    return progress.outcome;
}

static uint32_t holder(struct system *self, uint32_t id, uint32_t nth) {
    const struct task *task = task_at(id);
    (void)self;
    if (task->wait == NULL || task->wait->holder == NULL)
        return NO_TASK;
    return task->wait->holder(task, nth);
}

static bool cancellable(struct system *self, uint32_t id) {
    const struct task *task = task_at(id);
    (void)self;
    return (task->cancel.at_point || task->cancel.asynchronous) && !task->cancel.disabled &&
           !task->end.exiting;
}

uint32_t native_stack(struct system *self, uint32_t id, uint64_t pc, uint64_t *pcs, uint32_t max) {
    (void)self;
    return task_stack(task_at(id), pc, pcs, max);
}

/* Calls the function and puts the memory below our frame back as it was. Evidence is collected
 * only in a repetition, but a waiting loop (spin.c) is recognised by the stack, which may have
 * slots that the program has not written yet. So the frame of this function is the same if there
 * is nothing to call. */
__attribute__((optimize("no-shrink-wrap"))) void
native_unseen(struct system *self, void (*function)(void *context), void *context) {
    enum { KEPT = 12 << 10 };
    static char kept[KEPT];
    (void)self;
    if (function == NULL)
        return;
    uint64_t sp = read_sp(), low = sp - KEPT;
    bool keeps = rt.current != NULL && own_stack(rt.current, sp) && own_stack(rt.current, low);
    if (keeps)
        copy_below(kept, (const char *)low, KEPT);
    function(context);
    if (keeps)
        copy_below((char *)low, kept, KEPT);
}

const struct system_ops native_ops = {
    .name = "native",
    .start = start,
    .save = save,
    .load = load,
    .fingerprint = native_fingerprint,
    .pending = pending,
    .run = native_run,
    .outcome = native_outcome,
    .holder = holder,
    .cancellable = cancellable,
    .stack = native_stack,
    .unseen = native_unseen,
};

struct system native_system = {.ops = &native_ops};
