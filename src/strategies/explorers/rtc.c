/* rtc.c - run to completion (001, section 6.2): follows the chain of causes. The task that was sent
 * the latest event, or was created last, moves first. A delay puts it behind all others.
 *
 * Good at bugs that lie deep in a protocol, because few delays already reach long executions. This
 * is the best choice for most programs that pass messages. A mailbox belongs to no task, so a
 * program that sends only to mailboxes is explored without this preference. */
#include "strategies/explorers/explorers.h"

static uint32_t rtc_next(const void *state) {
    return ((const struct heddle_order *)state)->tasks[0];
}

static void rtc_delay(void *state) {
    heddle_order_to_back(state, rtc_next(state));
}

static void rtc_begin(void *state, uint64_t seed) {
    (void)state, (void)seed;
}

static void rtc_start(void *state, uint32_t task, const char *kind) {
    (void)kind;
    heddle_order_insert(state, 0, task);
}

static void rtc_finish(void *state, uint32_t task) {
    heddle_order_remove(state, task);
}

/* The order has no tasks that have ended in the meantime. */
static void rtc_step(void *state, const struct heddle_step *step) {
    struct heddle_order *order = state;
    if (step->kind == HEDDLE_STEP_SENT && step->other != 0 &&
        heddle_order_find(order, step->other) < order->count)
        heddle_order_to_front(order, step->other);
}

const struct heddle_explorer rtc_explorer = {
    .name = "rtc",
    .summary = "run to completion, along the chain of events: bugs deep in a protocol",
    .size = sizeof(struct heddle_order),
    .begin = rtc_begin,
    .next = rtc_next,
    .delay = rtc_delay,
    .start = rtc_start,
    .finish = rtc_finish,
    .step = rtc_step,
};
