/* estimate.c - see estimate.h.
 *
 * A walk over the stack of a strategy costs as much as a short execution. So an estimate is not
 * computed after each execution, but after 1/64 more of them (STRIDE_MAX at most), and not before
 * as many steps were made as the stack is deep; with checkpoints, an execution with many steps may
 * execute only few. The uncertainty is computed from older values. Their distances grow with the
 * search, so that together they go back to about 2/5 of its executions. */
#include "engine/estimate.h"

#include <xmmintrin.h>

#include "engine/strategy.h"

enum { STRIDE_MAX = 4096 };

static uint64_t stride(uint64_t executions) {
    uint64_t part = executions / 64 + 1;
    return part < STRIDE_MAX ? part : STRIDE_MAX;
}

static void keep(struct estimate *estimate, uint64_t executions) {
    estimate->kept[estimate->kept_count++ % ESTIMATES_KEPT] = estimate->total;
    estimate->next_kept = executions + executions / 16 + 1;
}

static double total_of(uint64_t executions, double explored) {
    double total = explored > 0 ? (double)executions / explored : ESTIMATE_MAX;
    return total < ESTIMATE_MAX ? total : ESTIMATE_MAX;
}

void estimate_update(struct estimate *estimate, const struct strategy *strategy,
                     uint64_t executions, uint64_t steps, uint32_t depth) {
    if (strategy->ops->explored == NULL || executions < estimate->next ||
        steps < estimate->next_steps)
        return;
    /* The tested program begins with the flags that are set here, and could otherwise read ours. */
    unsigned int flags = _mm_getcsr();
    estimate->total = total_of(executions, strategy->ops->explored(strategy));
    estimate->next = executions + stride(executions);
    estimate->next_steps = steps + depth;
    if (executions >= estimate->next_kept)
        keep(estimate, executions);
    _mm_setcsr(flags);
}

/* A number that can be shown, even if the tested program has overwritten it. */
static double sound(double total, double least) {
    if (!(total >= least))
        return least;
    return total < ESTIMATE_MAX ? total : ESTIMATE_MAX;
}

void estimate_merge(struct estimate *into, const struct estimate *from) {
    bool known = into->total > 0 && from->total > 0;
    *into = (struct estimate){.total = known ? sound(into->total + from->total, 0) : 0};
}

bool estimate_read(const struct estimate *estimate, uint64_t executions,
                   struct estimate_left *left) {
    double done = (double)executions, total = estimate->total;
    if (!(total > 0))
        return false;
    total = sound(total, done);
    *left = (struct estimate_left){total, total - done, total, total};
    for (uint32_t i = 0; i < ESTIMATES_KEPT; i++) {
        double other = estimate->kept[i];
        if (!(other > 0))
            continue;
        other = sound(other, done);
        left->low = other < left->low ? other : left->low;
        left->high = other > left->high ? other : left->high;
    }
    left->low -= done;
    left->high -= done;
    return true;
}

void samples_add(struct samples *samples, const struct execution *execution) {
    unsigned int flags = _mm_getcsr(); /* as above */
    struct large product = large_of(1);
    for (uint32_t i = 0; i < execution->decision_count; i++)
        if (execution->decisions[i].count > 1)
            product = large_times(product, large_of(execution->decisions[i].count));
    samples->sum = large_plus(samples->sum, product);
    samples->squares = large_plus(samples->squares, large_times(product, product));
    samples->count++;
    _mm_setcsr(flags);
}

void samples_merge(struct samples *into, const struct samples *from) {
    into->sum = large_plus(into->sum, from->sum);
    into->squares = large_plus(into->squares, from->squares);
    into->count += from->count;
}

/* One of `of` equal parts. */
static struct large part(struct large a, double of) {
    return large_times(a, (struct large){1 / of, 0});
}

struct large samples_mean(const struct samples *samples) {
    return part(samples->sum, (double)samples->count);
}

struct large samples_variance(const struct samples *samples) {
    double count = (double)samples->count;
    struct large mean = samples_mean(samples);
    struct large square = part(samples->squares, count);
    return part(large_minus(square, large_times(mean, mean)), count - 1);
}
