/* system.c - the native substrate as a struct system: the engine's view of the tested program. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "substrates/native/machine.h"
#include "substrates/native/native.h"
#include "substrates/native/runtime.h"
#include "substrates/native/shared_stack.h"
#include "substrates/native/stack.h"
#include "substrates/native/thread_end.h"

struct runtime rt;

bool task_ready(const struct task *task) {
    if (task->wait == NULL || task->wait->ready(task))
        return true;
    return (task->at_cancel_point || task->cancel_asynchronous) && cancel_due(task);
}

/* New tasks run up to their first operation: until then they do nothing that anybody notices. */
static struct task *next_fresh(void) {
    if (rt.settled_count == rt.fresh_count || rt.outcome != OUTCOME_RUNNING)
        return NULL;
    struct task *task = &rt.tasks[rt.fresh[rt.settled_count++]];
    task->state = TASK_LIVE;
    return task;
}

static struct task *chosen(uint32_t id) {
    struct task *task = &rt.tasks[id];
    CHECK(task->state == TASK_LIVE);
    rt.moved = id;
    if (task->machine != NULL)
        machine_prepare(task);
    return task;
}

/* The task that moves now; NULL if that is the end of the execution. */
static struct task *moves(uint32_t id) {
    if (rt.tasks[id].failure == NULL)
        return chosen(id);
    rt.moved = id;
    native_fail(&rt.tasks[id]);
    CHECK(rt.host->ops->next(rt.host, NULL) == NO_TASK);
    return NULL;
}

/* The only task that is left, if it can move. */
static const struct pending *alone(void) {
    static struct pending alone;
    const struct task *task = &rt.tasks[rt.live[0]];
    if (rt.live_count != 1 || rt.outcome != OUTCOME_RUNNING || !task_ready(task))
        return NULL;
    alone = (struct pending){.task = task->id, .op = &task->op};
    return &alone;
}

struct task *native_next(void) {
    struct task *fresh = next_fresh();
    if (fresh != NULL)
        return fresh;
    rt.fresh_count = rt.settled_count = 0;
    if (rt.starting)
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
    rt.outcome = OUTCOME_RUNNING;
    rt.moved = NO_TASK;
    rt.exit_handlers = rt.exit_handlers_before_main;
    rt.concurrent = rt.at_operation = false;
    rt.left_traces = NULL;
    rt.times = NULL;
    rt.keys = NULL;
    rt.actions = NULL;
    annotations_begin();
    rt.keeps_registers = rt.debugged || host->evidence || rt.session->options.mode == MODE_SIMULATE;
    stack_reset();
    stacks_begin();
    rt.starting = true;
    native_start_main();
    fiber_run(next_fresh());
    machine_has_left();
    rt.starting = false;
}

static void say_unsavable(const char *why, const char *call) {
    snprintf(rt.session->unsavable, sizeof rt.session->unsavable, "%s%s", why, call);
}

/* What the program has opened is the kernel's, and cannot be put back; nor can what it has done there
 * otherwise. */
bool native_can_save(void) {
    if (rt.left_traces == NULL && rt.tracking_faults && !any_opened())
        return true;
    if (rt.left_traces != NULL)
        say_unsavable("nobody can put back what it has done outside of its memory by ",
                      rt.left_traces);
    else if (!rt.tracking_faults)
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
    objects_write(image);
    image_write_number(image, rt.moved);
    image_write_number(image, rt.exit_handlers.all);
    image_write_number(image, rt.exit_handlers.own);
    image_write_number(image, rt.concurrent);
    image_write_number(image, (uint64_t)rt.times);
    image_write_number(image, (uint64_t)rt.keys);
    image_write_number(image, (uint64_t)rt.actions);
    image_write_number(image, (uint64_t)rt.benign);
    return !image->full;
}

static void load(struct system *self, struct host *host, struct image *image) {
    (void)self;
    memory_read(image);
    heap_read(image);
    tasks_read(image);
    objects_read(image);
    close_opened();
    rt.host = host;
    rt.outcome = OUTCOME_RUNNING;
    rt.keeps_registers = rt.at_operation = false;
    rt.left_traces = NULL;
    stack_reset();
    stacks_begin();
    rt.moved = (uint32_t)image_read_number(image);
    rt.exit_handlers.all = (uint32_t)image_read_number(image);
    rt.exit_handlers.own = (uint32_t)image_read_number(image);
    rt.concurrent = image_read_number(image);
    rt.times = (struct times *)image_read_number(image);
    rt.keys = (struct keys *)image_read_number(image);
    rt.actions = (struct actions *)image_read_number(image);
    rt.benign = (struct benign *)image_read_number(image);
}

static void pending(struct system *self, struct choice *choice) {
    static struct pending states[SESSION_TASKS];
    static uint32_t blocked[SESSION_TASKS];
    uint32_t enabled_count = 0, blocked_count = 0;
    (void)self;
    for (uint32_t i = 0; i < rt.live_count; i++) {
        struct task *task = &rt.tasks[rt.live[i]];
        if (task_ready(task))
            states[enabled_count++] = (struct pending){task->id, 0, &task->op};
        else
            blocked[blocked_count++] = task->id;
    }
    for (uint32_t i = 0; i < blocked_count; i++) {
        const struct task *task = &rt.tasks[blocked[i]];
        states[enabled_count + i] = (struct pending){task->id, spin_idle(task), &task->op};
    }
    *choice = (struct choice){
        .tag = CHOICE_SCHEDULE,
        .count = enabled_count,
        .task = rt.moved,
        .live = rt.live_count,
        .pending = states,
    };
}

/* Who waits within a reaction comes here, and asks who moves when everything of it is at rest. */
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
    return rt.outcome;
}

static uint32_t holder(struct system *self, uint32_t id, uint32_t nth) {
    const struct task *task = &rt.tasks[id];
    (void)self;
    if (task->wait == NULL || task->wait->holder == NULL)
        return NO_TASK;
    return task->wait->holder(task, nth);
}

static bool cancellable(struct system *self, uint32_t id) {
    const struct task *task = &rt.tasks[id];
    (void)self;
    return (task->at_cancel_point || task->cancel_asynchronous) && !task->cancel_disabled &&
           !task->exiting;
}

uint32_t native_stack(struct system *self, uint32_t id, uint64_t pc, uint64_t *pcs, uint32_t max) {
    (void)self;
    return task_stack(&rt.tasks[id], pc, pcs, max);
}

/* What stands below is what stood there before. Evidence is taken in a repetition only, and a loop that waits
 * (spin.c) is told by its frames, in which there may be slots that the program has not written yet. So our own
 * frame is the same with nothing to call. */
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
