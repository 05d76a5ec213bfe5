/* switches.c - see switches.h. */
#include "strategies/switches.h"

#include "event/op.h"
#include "event/op_kind.h"

bool switches_cost(const struct bound *bound) {
    return bound->kind == BOUND_PREEMPTIONS || bound->kind == BOUND_DELAYS;
}

/* Returns the option that continues the task that moved last; choice->count if a switch is free. */
static uint32_t going_on(const struct choice *choice) {
    uint32_t i = 0;
    while (i < choice->count && choice->pending[i].task != choice->task)
        i++;
    return i < choice->count && op_has(choice->pending[i].op->kind, GIVES_WAY) ? choice->count : i;
}

bool switch_is_free(const struct choice *choice) {
    return going_on(choice) == choice->count;
}

uint32_t switch_first(const struct choice *choice) {
    uint32_t option = going_on(choice);
    if (option < choice->count)
        return option;
    for (option = 0; choice->task != NO_TASK && option < choice->count; option++)
        if (choice->pending[option].task > choice->task)
            return option;
    return 0;
}

uint32_t switch_cost(const struct bound *bound, const struct choice *choice, uint32_t option) {
    switch (bound->kind) {
    case BOUND_PREEMPTIONS: return !switch_is_free(choice) && option != going_on(choice);
    case BOUND_DELAYS: return (option + choice->count - switch_first(choice)) % choice->count;
    case BOUND_NONE:
    case BOUND_DIVERGENCES:
    case BOUND_KINDS: break;
    }
    return 0;
}
