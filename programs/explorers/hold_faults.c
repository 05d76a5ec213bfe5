/* hold_faults.c - a custom delaying explorer: round robin, in which faults wait behind all other
 * machines until the program calls heddle_hint("initialised") (001, section 6.3). It is good at
 * bugs that need a fault after the initialisation.
 *
 *     heddle run --strategy=ses --explorer=programs/explorers/hold_faults.c ./test */
#include <heddle/explorer.h>
#include <string.h>

static const char *const names[] = {"Fault", "Failure"}; /* machine types that are held back */

struct state {
    struct heddle_order order, held;
    bool initialised;
};

static uint32_t next(const void *state) {
    return ((const struct state *)state)->order.tasks[0];
}

static void delay(void *state) {
    heddle_order_to_back(&((struct state *)state)->order, next(state));
}

static void begin(void *state, uint64_t seed) {
    (void)state, (void)seed;
}

static void start(void *state, uint32_t task, const char *kind) {
    struct state *self = state;
    heddle_order_append(&self->order, task);
    for (size_t i = 0; kind != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(kind, names[i]) == 0)
            heddle_order_append(&self->held, task);
}

static void finish(void *state, uint32_t task) {
    heddle_order_remove(&((struct state *)state)->order, task);
    heddle_order_remove(&((struct state *)state)->held, task);
}

static void step(void *state, const struct heddle_step *step) {
    struct state *self = state;
    if (step->kind == HEDDLE_STEP_BLOCKED)
        heddle_order_to_back(&self->order, step->task);
    self->initialised |= step->kind == HEDDLE_STEP_HINT && strcmp(step->text, "initialised") == 0;
    for (uint32_t i = 0; i < self->held.count && !self->initialised; i++)
        heddle_order_to_back(&self->order, self->held.tasks[i]);
}

const struct heddle_explorer heddle_explorer = {
    .name = "hold-faults",
    .summary = "faults wait until the program has said \"initialised\"",
    .size = sizeof(struct state),
    .begin = begin,
    .next = next,
    .delay = delay,
    .start = start,
    .finish = finish,
    .step = step,
};
