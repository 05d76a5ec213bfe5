/* bound.c - see bound.h. */
#include "strategies/bound.h"

#include "base/check.h"

struct bound bound_of(const struct options *options) {
    CHECK(options->preemptions < 0 || options->delays < 0);
    if (options->preemptions >= 0)
        return (struct bound){BOUND_PREEMPTIONS, (uint32_t)options->preemptions};
    if (options->delays >= 0)
        return (struct bound){BOUND_DELAYS, (uint32_t)options->delays};
    return (struct bound){BOUND_NONE, 0};
}

static bool gives_way(const struct op *op) {
    return op->kind == OP_YIELD || op->kind == OP_SLEEP || op->kind == OP_COND_SLEEP;
}

/* The option that continues the task that moved last, or choice->count if a switch is free. */
static uint32_t going_on(const struct choice *choice) {
    uint32_t i = 0;
    while (i < choice->count && choice->pending[i].task != choice->task)
        i++;
    return i < choice->count && gives_way(choice->pending[i].op) ? choice->count : i;
}

bool bound_is_open(const struct choice *choice) {
    return going_on(choice) == choice->count;
}

uint32_t bound_first(const struct choice *choice) {
    uint32_t option = going_on(choice);
    if (option < choice->count)
        return option;
    for (option = 0; choice->task != NO_TASK && option < choice->count; option++)
        if (choice->pending[option].task > choice->task)
            return option;
    return 0;
}

uint32_t bound_cost(const struct bound *bound, const struct choice *choice, uint32_t option) {
    switch (bound->kind) {
    case BOUND_NONE: return 0;
    case BOUND_PREEMPTIONS: return !bound_is_open(choice) && option != going_on(choice);
    case BOUND_DELAYS: return (option + choice->count - bound_first(choice)) % choice->count;
    }
    return 0;
}
