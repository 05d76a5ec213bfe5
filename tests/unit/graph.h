/* graph.h - all states of a script, found by a breadth-first search over saved states. It judges
 * the searches that remember states, and it uses neither strategies nor the explore loop. */
#ifndef TESTS_UNIT_GRAPH_H
#define TESTS_UNIT_GRAPH_H

#include "substrates/scripted/scripted.h"

struct graph {
    struct script_state *states; /* in the order of discovery */
    bool *branched; /* for each state: it has options, or lies behind a state that has */
    uint32_t count, capacity;
    uint64_t counted; /* the number of states with `branched` set */
    uint64_t transitions;
    uint64_t complete; /* transitions into a state where no task can move any more */
};

/* Returns false if there are more than `most` states. */
bool explore_graph(const struct script *script, uint32_t most, struct graph *graph);
void free_graph(struct graph *graph);

#endif
