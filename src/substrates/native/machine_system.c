/* machine_system.c - machines as a struct system: what native_system is from machine_start on, until the
 * next execution begins with main again. */
#include "substrates/native/machine_known.h"

static void start(struct system *self, struct host *host) {
    self->ops = &native_ops;
    native_ops.start(self, host);
}

static bool save(struct system *self, struct image *image) {
    (void)self;
    if (rt.left_traces || !slots_write(image))
        return false;
    image_write_number(image, rt.moved);
    return !image->full;
}

/* Tasks are what their slots say. */
static void load(struct system *self, struct host *host, struct image *image) {
    (void)self;
    slots_read(image);
    rt.host = host;
    rt.outcome = OUTCOME_RUNNING;
    rt.moved = (uint32_t)image_read_number(image);
    rt.fresh_count = rt.settled_count = 0;
}

static bool fingerprint(struct system *self, struct fingerprint *out) {
    (void)self;
    slots_fingerprint(out);
    return true;
}

static void pending(struct system *self, struct choice *choice) {
    static struct pending states[SESSION_TASKS];
    static uint32_t blocked[SESSION_TASKS];
    uint32_t enabled_count = 0, blocked_count = 0;
    (void)self;
    for (uint32_t i = 0; i < rt.live_count; i++) {
        uint32_t id = rt.live[i];
        if (machine_ready_at_rest(id))
            states[enabled_count++] = (struct pending){id, false, &rt.tasks[id].op};
        else
            blocked[blocked_count++] = id;
    }
    for (uint32_t i = 0; i < blocked_count; i++)
        states[enabled_count + i] = (struct pending){blocked[i], false, &rt.tasks[blocked[i]].op};
    *choice = (struct choice){
        .tag = CHOICE_SCHEDULE,
        .count = enabled_count,
        .task = rt.moved,
        .live = rt.live_count,
        .pending = states,
    };
}

/* A send waits for its receiver. */
static uint32_t holder(struct system *self, uint32_t id, uint32_t nth) {
    const struct op *op = &rt.tasks[id].op;
    (void)self;
    return op->kind == OP_SEND && nth == 0 ? op->target : NO_TASK;
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
    .pending = pending,
    .run = machine_run,
    .outcome = native_outcome,
    .holder = holder,
    .stack = native_stack,
    .unseen = native_unseen,
};
