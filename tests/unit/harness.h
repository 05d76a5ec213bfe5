/* harness.h - runs a script under the real explorer and collects how its executions ended. */
#ifndef TESTS_UNIT_HARNESS_H
#define TESTS_UNIT_HARNESS_H

#include "engine/explore.h"
#include "substrates/scripted/scripted.h"

/* A set of 64-bit values, sorted once it is complete. */
struct set {
    uint64_t *items;
    size_t count, capacity;
};

void set_add(struct set *set, uint64_t item);
void set_close(struct set *set); /* sorts the set and drops duplicates */
bool set_equal(const struct set *a, const struct set *b);
void set_free(struct set *set);

struct search {
    struct set finals; /* fingerprints of the states in which the process ended */
    struct set stuck; /* fingerprints of the states in which tasks were left and none was enabled */
    struct set failures; /* places of failed assertions */
    struct set traces;   /* canonical forms of the executions (canonical.h) */
    struct set observed; /* the canonical forms of what can be observed (canonical_observed) */
    struct set seen;     /* fingerprints of `finals` and `stuck` without the contents of memory */
    struct counters counters;
    struct sampling sampling;
    struct strata strata;
    uint32_t findings[FINDING_KINDS];
    bool exhausted, bound_cut, diverged;
    size_t pool_used; /* bytes */
};

/* Explores everything, or options->max_executions executions, and collects the findings. */
void search_script(const struct script *script, const char *strategy, const struct options *options,
                   struct search *search);
void search_free(struct search *search);

/* Options without bounds that ignore races and keep going after a finding. */
struct options search_options(void);

/* pool_open() returns a pool in zeroed memory, pool_close() gives the memory back. */
struct pool *pool_open(void);
void pool_close(struct pool *pool);

#endif
