/* system.c - machines as a struct system: native_system from machine_start on, until the next
 * execution begins with main. */
#include "base/image.h"
#include "event/op_kind.h"
#include "substrates/native/machines/known.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/task.h"

static void start(struct system *self, struct host *host) {
    self->ops = &native_ops;
    native_ops.start(self, host);
}

static bool save(struct system *self, struct image *image) {
    (void)self;
    if (made_lasting_call() || !slots_write(image))
        return false;
    image_write_number(image, progress.moved);
    return !image->full;
}

/* The tasks follow from the slots. */
static void load(struct system *self, struct host *host, struct image *image) {
    (void)self;
    slots_read(image);
    rt.host = host;
    progress.outcome = OUTCOME_RUNNING;
    progress.moved = (uint32_t)image_read_number(image);
    fresh_tasks.count = fresh_tasks.settled = 0;
}

static bool fingerprint(struct system *self, struct fingerprint *out) {
    (void)self;
    slots_fingerprint(out);
    return true;
}

static bool foresee(struct system *self, uint32_t id, struct fingerprint *out) {
    (void)self;
    return known_foresee(id, out);
}

static void pending(struct system *self, struct choice *choice) {
    static struct pending states[SESSION_TASKS_MAX];
    static uint32_t blocked[SESSION_TASKS_MAX];
    uint32_t enabled_count = 0, blocked_count = 0;
    (void)self;
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        uint32_t id = live_tasks.ids[i];
        if (machine_ready_at_rest(id))
            states[enabled_count++] = (struct pending){.task = id, .op = &task_at(id)->op};
        else
            blocked[blocked_count++] = id;
    }
    for (uint32_t i = 0; i < blocked_count; i++)
        states[enabled_count + i] =
            (struct pending){.task = blocked[i], .op = &task_at(blocked[i])->op};
    *choice = (struct choice){
        .tag = CHOICE_SCHEDULE,
        .count = enabled_count,
        .task = progress.moved,
        .live = live_tasks.count,
        .pending = states,
    };
}

/* A send waits for its receiver. */
static uint32_t holder(struct system *self, uint32_t id, uint32_t nth) {
    const struct op *op = &task_at(id)->op;
    (void)self;
    return op->kind == OP_SEND && nth == 0 ? op->receiver : NO_TASK;
}

static void machine_run(struct system *self, uint32_t id) {
    if (known_step(id))
        return;
    slots_freshen();
    known_begin(id);
    native_run(self, id);
    known_learn();
}

const struct system_ops machine_ops = {
    .name = "machines",
    .private_memory = true,
    .start = start,
    .save = save,
    .load = load,
    .fingerprint = fingerprint,
    .foresee = foresee,
    .pending = pending,
    .run = machine_run,
    .outcome = native_outcome,
    .holder = holder,
    .stack = native_stack,
    .unseen = native_unseen,
};
