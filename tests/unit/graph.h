/* graph.h - the states of a script, by a breadth-first search over saved states: the judge of searches that
 * remember states. It knows neither strategies nor the explore loop. */
#ifndef TESTS_UNIT_GRAPH_H
#define TESTS_UNIT_GRAPH_H

#include "substrates/scripted/scripted.h"

struct graph {
    struct script_state *states; /* in the order of discovery */
    bool *branched;              /* of each: a state with options lies before it, or is it */
    uint32_t count, capacity;
    uint64_t counted; /* from the first state with options on */
    uint64_t transitions;
    uint64_t complete; /* transitions into a state where nothing moves any more */
};

/* False if there are more than `most` states. */
bool explore_graph(const struct script *script, uint32_t most, struct graph *graph);
void free_graph(struct graph *graph);

#endif
