/* leaving.c - see leaving.h. */
#include "engine/leaving.h"

#include "engine/options.h"
#include "engine/result.h"

enum {
    CUT_MAX = 4,          /* executions that were cut off */
    GROWN_BEGUN = 1000,   /* executions before their growth counts */
    GROWN_STEPS = 2000,   /* steps of the longest execution that count as growth */
    GROWING_STEPS = 1000, /* the same if the search has used up its part of the time */
    SIZE_BEGUN = 100000,  /* executions before the estimate counts */
};
static const double SIZE_MAX_TOTAL = 1e9; /* executions by the estimate */

static bool grows_to(const struct result *result, uint32_t steps) {
    return result->scale.rounds.steps >= steps && rounds_grow(&result->scale.rounds);
}

bool leaving_grows(const struct result *result) {
    return grows_to(result, GROWN_STEPS);
}

bool leaving_grows_in_time(const struct result *result) {
    return grows_to(result, GROWING_STEPS);
}

static bool has_loops(const struct options *options, const struct result *result) {
    bool grown = options->stage == 0 && counters_begun(&result->counters) >= GROWN_BEGUN;
    return result->counters.cut_executions >= CUT_MAX || (grown && leaving_grows(result));
}

static bool is_too_large(const struct options *options, const struct result *result) {
    bool budget = options->timeout_ms > 0 || options->max_executions > 0;
    return !budget && options->stage == 0 && counters_begun(&result->counters) >= SIZE_BEGUN &&
           result->scale.estimate.total >= SIZE_MAX_TOTAL;
}

enum leaving leaving_due(const struct options *options, const struct result *result) {
    if (options->steps_max > 0 && result->counters.steps >= options->steps_max)
        return LEAVES_FOR_STEPS;
    if (!options->leaves)
        return LEAVES_NOT;
    if (has_loops(options, result))
        return LEAVES_FOR_LOOPS;
    return is_too_large(options, result) ? LEAVES_FOR_SIZE : LEAVES_NOT;
}
