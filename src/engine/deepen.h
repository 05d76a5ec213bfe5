/* deepen.h - --deepen: one search after the other, each within a larger bound.
 *
 * A search that is through has completed its bound. If the bound hid nothing, there is nothing more
 * to find; otherwise the next search begins from the start, within a bound that is larger by
 * one. */
#ifndef ENGINE_DEEPEN_H
#define ENGINE_DEEPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/bound.h"

struct options;
struct result;

/* In the result. */
struct deepening {
    uint32_t limit;      /* the limit of the search under way */
    uint32_t completed;  /* the number of completed limits, from 0 on */
    uint64_t begun;      /* the number of executions before this search */
    uint64_t executions; /* the number of those that were complete */
};

/* The bound of the search under way, also without --deepen. */
struct bound deepen_bound(const struct options *options, const struct result *result);

/* How many limits were completed, from 0 on. Returns 0 if executions were cut off, because they
 * hide others. */
uint32_t deepen_completed(const struct result *result);

/* The options, with the bound of the search under way. */
struct options deepen_options(const struct options *options, const struct result *result);

/* Called when the search under way is through. Returns true if another one must follow. */
bool deepen_on(const struct options *options, struct result *result);

/* Two workers share the search within each limit: a limit is completed if both have completed
 * it. */
void deepening_merge(struct deepening *into, const struct deepening *from);

#endif
