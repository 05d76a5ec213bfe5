/* counters.h - the counters of a search, which are the same for all strategies. */
#ifndef ENGINE_COUNTERS_H
#define ENGINE_COUNTERS_H

#include <stdint.h>

struct counters {
    uint64_t executions;         /* complete executions */
    uint64_t blocked_executions; /* cut by a sleep set */
    uint64_t idle_executions;    /* cut where a loop would only have waited */
    uint64_t deep_executions;    /* ended by a sampling strategy at the depth of their stratum */
    uint64_t dropped_executions; /* an assumption did not hold */
    uint64_t cut_executions;     /* longer than --max-steps */
    uint64_t seen_executions;    /* ended in a state that was seen before */
    uint64_t transitions;        /* edges of the search tree, each once */
    uint64_t steps;              /* all steps, also repeated ones */
    /* --final-states: the number of different last states of complete executions */
    uint64_t final_states;
    uint64_t depth_max;
    uint64_t tasks_max;
};

/* All executions that were begun, however they ended. */
static inline uint64_t counters_begun(const struct counters *counters) {
    return counters->executions + counters->blocked_executions + counters->idle_executions +
           counters->deep_executions + counters->dropped_executions + counters->cut_executions +
           counters->seen_executions;
}

#endif
