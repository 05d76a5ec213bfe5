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
void set_close(struct set *set); /* sorts, drops doubles */
bool set_equal(const struct set *a, const struct set *b);
void set_free(struct set *set);

struct search {
    struct set finals;   /* fingerprints where the process ended */
    struct set stuck;    /* fingerprints where tasks were left, none enabled */
    struct set failures; /* places of failed assertions */
    struct set traces;   /* canonical forms of the executions (canonical.h) */
    struct set observed; /* the same, of what shows */
    struct set seen;     /* fingerprints of finals and stuck without what is left in memory */
    struct session_counters counters;
    struct sampling sampling;
    struct strata strata;
    uint32_t findings[FINDING_KINDS];
    bool exhausted, bound_cut, diverged;
    size_t pool_used; /* bytes */
};

/* Explores everything (or options->max_executions of it), findings collected. */
void search_script(const struct script *script, const char *strategy, const struct options *options,
                   struct search *search);
void search_free(struct search *search);

/* No bounds, races ignored, keep going. */
struct options search_options(void);

/* Zeroed memory for a pool, and back. */
struct pool *pool_open(void);
void pool_close(struct pool *pool);

#endif
