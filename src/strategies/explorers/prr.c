/* prr.c - round robin in a random order (001, section 6.2): a new task gets a random place, by
 * --seed. Everything else is as in rr.c. Good if the order of creation is misleading for rr, which
 * is often the case. */
#include "base/random.h"
#include "strategies/explorers/explorers.h"

struct prr {
    struct random random;
    struct heddle_order order;
};

static uint32_t prr_next(const void *state) {
    return ((const struct prr *)state)->order.tasks[0];
}

static void prr_delay(void *state) {
    heddle_order_to_back(&((struct prr *)state)->order, prr_next(state));
}

static void prr_begin(void *state, uint64_t seed) {
    random_seed(&((struct prr *)state)->random, seed);
}

static void prr_start(void *state, uint32_t task, const char *kind) {
    struct prr *self = state;
    (void)kind;
    heddle_order_insert(&self->order, random_below(&self->random, self->order.count + 1u), task);
}

static void prr_finish(void *state, uint32_t task) {
    heddle_order_remove(&((struct prr *)state)->order, task);
}

static void prr_step(void *state, const struct heddle_step *step) {
    if (step->kind == HEDDLE_STEP_BLOCKED)
        heddle_order_to_back(&((struct prr *)state)->order, step->task);
}

const struct heddle_explorer prr_explorer = {
    .name = "prr",
    .summary = "round robin in a random order (--seed): where the order of creation misleads",
    .size = sizeof(struct prr),
    .begin = prr_begin,
    .next = prr_next,
    .delay = prr_delay,
    .start = prr_start,
    .finish = prr_finish,
    .step = prr_step,
};
