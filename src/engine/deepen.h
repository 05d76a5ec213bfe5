/* deepen.h - --deepen: one search after the other, each within a larger bound.
 *
 * A search that is through has completed its bound. If the bound hid nothing, there is nothing more to
 * find; otherwise the next search begins from the start, within a bound that is larger by one. */
#ifndef ENGINE_DEEPEN_H
#define ENGINE_DEEPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/bound.h"

struct options;
struct session;

/* In the session. */
struct deepening {
    uint32_t limit;      /* of the search under way */
    uint32_t completed;  /* so many limits, from 0 on */
    uint64_t begun;      /* executions before this search, */
    uint64_t executions; /* and those of them that were complete */
};

/* The bound of the search under way, also without --deepen. */
struct bound deepen_bound(const struct session *session);

/* How many limits were completed, from 0 on; none if executions were cut off, which hide others. */
uint32_t deepen_completed(const struct session *session);

/* The options with that bound. */
struct options deepen_options(const struct session *session);

/* The search under way is through. True: another one must follow. */
bool deepen_on(struct session *session);

#endif
