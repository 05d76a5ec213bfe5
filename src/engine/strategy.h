/* strategy.h - who decides. A strategy never touches the system, owns no budget, prints nothing. */
#ifndef ENGINE_STRATEGY_H
#define ENGINE_STRATEGY_H

#include "base/pool.h"
#include "engine/options.h"
#include "engine/system.h"

#define PICK_NOTHING UINT32_MAX

struct strategy;
struct strategy_ops {
    const char *name;
    const char *summary; /* one line for --help */
    bool exhaustive;     /* begin() returning false means: everything was explored */
    /* Memory for it comes from the pool and is never given back. */
    struct strategy *(*create)(struct pool *pool, const struct options *options);
    /* A new execution; false: nothing is left. Sets self->prefix. */
    bool (*begin)(struct strategy *self);
    /* An option, by its index below choice->count. Called at every state, also with one option.
     * PICK_NOTHING: whatever comes from here has been seen. */
    uint32_t (*pick)(struct strategy *self, const struct choice *choice);
    /* `last` is the state at the end; NULL if there is none to be seen: the execution failed. */
    void (*end)(struct strategy *self, enum outcome outcome, const struct choice *last);
    /* Called after end(): the share of the search that is over, in (0, 1], if every option of a state
     * weighs the same. NULL: it does not know. */
    double (*explored)(const struct strategy *self);
    /* A plain access, which is no operation. NULL: it does not matter. */
    void (*access)(struct strategy *self, uint64_t address, uint32_t size);
};
struct strategy {
    const struct strategy_ops *ops;
    const struct execution *execution; /* borrowed: the one under way, set by the engine */
    uint32_t prefix;                   /* so many decisions repeat the execution before */
    bool diverged;    /* what came was not what came before: uncontrolled nondeterminism */
    bool hid_options; /* a bound kept options out of the search */
};

/* For explored(), from the deepest state up to the first: `below` is the share of the option under way. */
static inline double explored_share(uint32_t finished, uint32_t options, double below) {
    return ((double)finished + below) / (double)options;
}

#endif
