/* deepen.c - see deepen.h. */
#include "engine/deepen.h"

#include "engine/options.h"
#include "engine/result.h"

struct bound deepen_bound(const struct options *options, const struct result *result) {
    if (options->deepen == BOUND_NONE)
        return bound_of(options);
    return (struct bound){options->deepen, result->reached.deepening.limit};
}

uint32_t deepen_completed(const struct result *result) {
    return result->counters.cut_executions == 0 ? result->reached.deepening.completed : 0;
}

struct options deepen_options(const struct options *options, const struct result *result) {
    struct options bounded = *options;
    bound_set(&bounded, deepen_bound(options, result));
    return bounded;
}

bool deepen_on(const struct options *options, struct result *result) {
    struct deepening *deepening = &result->reached.deepening;
    struct bound last = bound_of(options);
    if (options->deepen == BOUND_NONE)
        return false;
    deepening->completed = deepening->limit + 1;
    if (!result->search.bound_cut || (last.kind != BOUND_NONE && deepening->limit >= last.limit))
        return false;
    deepening->limit++;
    deepening->begun = counters_begun(&result->counters);
    deepening->executions = result->counters.executions;
    result->search.bound_cut = false;
    result->scale.estimate = (struct estimate){0};
    return true;
}

void deepening_merge(struct deepening *into, const struct deepening *from) {
    into->limit = from->limit > into->limit ? from->limit : into->limit;
    into->completed = from->completed < into->completed ? from->completed : into->completed;
    into->begun += from->begun;
    into->executions += from->executions;
}
