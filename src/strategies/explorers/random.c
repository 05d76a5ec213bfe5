/* random.c - after each step any task may be the next, by --seed. Good at bugs that need many
 * switches at no particular places. It is also the measure for the other explorers: each of them
 * should be better at something. */
#include "base/random.h"
#include "strategies/explorers/explorers.h"

struct anybody {
    struct random random;
    struct heddle_order order;
};

static uint32_t anybody_next(const void *state) {
    return ((const struct anybody *)state)->order.tasks[0];
}

static void anybody_delay(void *state) {
    heddle_order_to_back(&((struct anybody *)state)->order, anybody_next(state));
}

static void anybody_begin(void *state, uint64_t seed) {
    random_seed(&((struct anybody *)state)->random, seed);
}

static void anybody_start(void *state, uint32_t task, const char *kind) {
    (void)kind;
    heddle_order_append(&((struct anybody *)state)->order, task);
}

static void anybody_finish(void *state, uint32_t task) {
    heddle_order_remove(&((struct anybody *)state)->order, task);
}

static void anybody_step(void *state, const struct heddle_step *step) {
    struct anybody *self = state;
    if (step->kind == HEDDLE_STEP_MOVED)
        heddle_order_to_front(&self->order,
                              self->order.tasks[random_below(&self->random, self->order.count)]);
}

const struct heddle_explorer random_explorer = {
    .name = "random",
    .summary = "anybody after each step (--seed): the measure of the others",
    .size = sizeof(struct anybody),
    .begin = anybody_begin,
    .next = anybody_next,
    .delay = anybody_delay,
    .start = anybody_start,
    .finish = anybody_finish,
    .step = anybody_step,
};
