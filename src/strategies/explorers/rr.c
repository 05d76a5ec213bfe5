/* rr.c - round robin (001, section 2): tasks in the order of their creation. A task goes on until
 * it blocks, ends, or is delayed. Then the next one has its turn.
 *
 * Good at bugs that need a few preemptions between tasks that otherwise run undisturbed.
 * Multithreaded programs mostly fail like this, programs that pass messages seldom. */
#include "strategies/explorers/explorers.h"

static uint32_t rr_next(const void *state) {
    return ((const struct heddle_order *)state)->tasks[0];
}

static void rr_delay(void *state) {
    heddle_order_to_back(state, rr_next(state));
}

static void rr_begin(void *state, uint64_t seed) {
    (void)state, (void)seed;
}

static void rr_start(void *state, uint32_t task, const char *kind) {
    (void)kind;
    heddle_order_append(state, task);
}

static void rr_finish(void *state, uint32_t task) {
    heddle_order_remove(state, task);
}

static void rr_step(void *state, const struct heddle_step *step) {
    if (step->kind == HEDDLE_STEP_BLOCKED)
        heddle_order_to_back(state, step->task);
}

const struct heddle_explorer rr_explorer = {
    .name = "rr",
    .summary = "round robin, in the order of creation: bugs by few preemptions",
    .size = sizeof(struct heddle_order),
    .begin = rr_begin,
    .next = rr_next,
    .delay = rr_delay,
    .start = rr_start,
    .finish = rr_finish,
    .step = rr_step,
};
