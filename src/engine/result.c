/* result.c - merges two results into one: see result_merge.
 *
 * Numbers of the whole search are added. A claim (everything was explored) holds if it holds for
 * both. A doubt (a bound hid options, a call was not controlled) holds if it holds for one. Each
 * part describes in its own file how it is merged. Each worker counts states by itself, and both
 * may have met the same state. So a sum of states is an upper bound. */
#include "engine/result.h"

#include <string.h>

#include "engine/branches.h"
#include "engine/coverage.h"
#include "engine/tree.h"

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static void merge_counters(struct counters *into, const struct counters *from) {
    into->executions += from->executions;
    into->blocked_executions += from->blocked_executions;
    into->idle_executions += from->idle_executions;
    into->deep_executions += from->deep_executions;
    into->dropped_executions += from->dropped_executions;
    into->cut_executions += from->cut_executions;
    into->seen_executions += from->seen_executions;
    into->transitions += from->transitions;
    into->steps += from->steps;
    into->final_states += from->final_states;
    into->depth_max = larger(into->depth_max, from->depth_max);
    into->tasks_max = larger(into->tasks_max, from->tasks_max);
}

/* If the two lack different options, the search begins again with one of them, and then lacks the
 * other one. */
static void merge_search(struct search_result *into, const struct search_result *from) {
    if (from->lacks > into->lacks) {
        into->lacks = from->lacks;
        memcpy(into->library, from->library, sizeof into->library);
    }
    into->stopped = from->stopped > into->stopped ? from->stopped : into->stopped;
    into->leaving = from->leaving > into->leaving ? from->leaving : into->leaving;
    into->stateless |= from->stateless;
    into->exhausted &= from->exhausted;
    into->bound_cut |= from->bound_cut;
    into->unsure |= from->unsure;
}

static void merge_observed(struct observed *into, const struct observed *from) {
    into->threads |= from->threads;
    into->machines |= from->machines;
    into->queues_matter |= from->queues_matter;
    into->random_fixed |= from->random_fixed;
    into->weak_orders |= from->weak_orders;
    into->unordered |= from->unordered;
    into->unjudged |= from->unjudged;
    into->continued |= from->continued;
    into->annotated |= from->annotated;
    into->plain_instrumented |= from->plain_instrumented;
}

static void merge_unseen(struct unseen_parts *into, const struct unseen_parts *from) {
    into->accesses |= from->accesses;
    if (!into->code[0])
        memcpy(into->code, from->code, sizeof into->code);
}

/* One failure is enough to end a run. The first one is kept. */
static void merge_failures(struct result *into, const struct result *from) {
    if (!into->failure.text[0])
        into->failure = from->failure;
    if (!into->difference.text[0])
        into->difference = from->difference;
}

/* Called before the counters are merged, because strata refer to them. */
static void merge_reached(struct result *into, const struct result *from) {
    strata_merge(&into->reached.strata, &into->counters, &from->reached.strata, &from->counters);
    deepening_merge(&into->reached.deepening, &from->reached.deepening);
    sampling_merge(&into->reached.sampling, &from->reached.sampling);
    members_merge(&into->reached.members, &from->reached.members);
}

static void merge_scale(struct scale *into, const struct scale *from) {
    estimate_merge(&into->estimate, &from->estimate);
    samples_merge(&into->samples, &from->samples);
    rounds_merge(&into->rounds, &from->rounds);
    scale_end(into, from->least_steps);
}

static void merge_values(struct result *into, const struct result *from) {
    merge_reached(into, from);
    merge_counters(&into->counters, &from->counters);
    merge_search(&into->search, &from->search);
    merge_observed(&into->observed, &from->observed);
    merge_unseen(&into->unseen, &from->unseen);
    merge_failures(into, from);
    merge_scale(&into->scale, &from->scale);
    ledger_merge(&into->ledger, &from->ledger);
    modules_merge(&into->modules, &from->modules);
    task_names_merge(&into->tasks, &from->tasks);
}

/* Copies the parts that the result holds by value. */
static void copy_values(struct result *into, const struct result *from) {
    *into = *from;
    into->found = (struct found){0};
    into->records = (struct records){0};
    into->minimised = (struct minimised){0};
}

static void merge_records(struct records *into, const struct records *from, struct pool *pool) {
    if (from->branches != NULL && into->branches == NULL)
        into->branches = branches_create(pool);
    if (from->branches != NULL)
        branches_merge(into->branches, from->branches);
    if (from->tree != NULL && into->tree == NULL)
        into->tree = tree_create(pool);
    if (from->tree != NULL)
        tree_merge(into->tree, from->tree, pool);
    if (from->coverage != NULL && into->coverage == NULL)
        into->coverage = coverage_create(pool);
    if (from->coverage != NULL)
        coverage_merge(into->coverage, from->coverage);
}

/* The number of the member that found it, in the merged table. */
static uint32_t member_in(const struct result *into, const struct result *from, uint32_t member) {
    return member == 0
               ? 0
               : members_row(&into->reached.members, from->reached.members.rows[member - 1].name);
}

static void merge_found(struct result *into, const struct result *from, struct pool *pool) {
    for (const struct session_finding *at = from->found.first; at != NULL; at = at->next) {
        struct session_finding *added = found_add(&into->found, at, pool);
        if (added != NULL)
            added->member = member_in(into, from, at->member);
    }
    into->found.lost |= from->found.lost;
    /* The supervisor counts these again in the merged result. Until then, this is a lower bound. */
    into->found.reported = (uint32_t)larger(into->found.reported, from->found.reported);
    into->found.suppressed = (uint32_t)larger(into->found.suppressed, from->found.suppressed);
}

bool result_merge(struct result *into, const struct result *from, struct pool *pool) {
    if (!task_names_agree(&into->tasks, &from->tasks) ||
        !modules_agree(&into->modules, &from->modules))
        return false;
    if (!from->search.begun)
        return true;
    if (into->search.begun)
        merge_values(into, from);
    else
        copy_values(into, from);
    merge_found(into, from, pool);
    merge_records(&into->records, &from->records, pool);
    minimised_merge(&into->minimised, &from->minimised, pool);
    return true;
}
