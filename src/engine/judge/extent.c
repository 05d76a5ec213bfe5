/* extent.c - see extent.h. */
#include "engine/judge/extent.h"

#include <stdio.h>

#include "base/say_count.h"
#include "engine/result.h"
#include "engine/strategy.h"

/* "all 4,096 executions", but "1 execution" */
static const char *say_all(uint64_t number, const char *noun, char text[COUNT_SIZE]) {
    char count[COUNT_SIZE];
    snprintf(text, COUNT_SIZE, "%s%s", number > 1 ? "all " : "", say_count(number, noun, count));
    return text;
}

/* " with at most 2 preemptions", if this bound may have hidden something. */
static const char *within_text(const struct judged *run, char text[64]) {
    char limit[32];
    struct bound bound = deepen_bound(run->options, run->result);
    text[0] = '\0';
    bool samples = !strategy_has(run->strategy, EXHAUSTIVE);
    if (bound.kind != BOUND_NONE && (run->result->search.bound_cut || samples))
        snprintf(text, 64, " with at most %s", bound_text(bound, limit));
    return text;
}

/* "the strata of 0 to 3 delays" */
static const char *strata_text(const struct judged *run, char text[64]) {
    const struct strata *strata = &run->result->reached.strata;
    uint32_t count = strata->completed < STRATA_KEPT ? strata->completed : STRATA_KEPT;
    uint32_t first = strata->rows[0].bound, last = strata->rows[count - 1].bound;
    const char *unit = strategy_strata(run->strategy);
    if (count == 1)
        snprintf(text, 64, "the stratum of %u %s", first, unit);
    else
        snprintf(text, 64, "the strata of %u to %u %s", first, last, unit);
    return text;
}

static void say_ended(const struct judged *run, char extent[EXTENT_TEXT]) {
    const struct strata *strata = &run->result->reached.strata;
    char count[COUNT_SIZE], text[64], completed[96] = "";
    uint64_t number = strata->on ? strata->states : counters_begun(&run->result->counters);
    if (strata->on && strata->completed > 0)
        snprintf(completed, sizeof completed, "; %s %s complete", strata_text(run, text),
                 strata->completed == 1 ? "is" : "are");
    snprintf(extent, EXTENT_TEXT, "%s ended the search after %s%s", omissions_ended_by(run),
             say_count(number, strata->on ? "state" : "execution", count), completed);
}

/* A search in strata that has ended by itself. */
static void say_states(const struct judged *run, bool all, char extent[EXTENT_TEXT]) {
    const struct strata *strata = &run->result->reached.strata;
    char count[COUNT_SIZE], text[64];
    if (run->result->search.bound_cut && strata->completed > 0)
        snprintf(extent, EXTENT_TEXT, "%s, %s", say_count(strata->states, "state", count),
                 strata_text(run, text));
    else if (strata->states == 0) /* states are counted from the first one with a choice on */
        snprintf(extent, EXTENT_TEXT, "no state has a choice");
    else if (strata->forgetful)
        snprintf(extent, EXTENT_TEXT, "%s, some more than once for lack of memory",
                 all ? "all states" : "states");
    else
        snprintf(extent, EXTENT_TEXT, "%s",
                 all ? say_all(strata->states, "state", count)
                     : say_count(strata->states, "state", count));
}

static void say_samples(const struct judged *run, char extent[EXTENT_TEXT]) {
    char count[GROUPED_SIZE], within[64];
    uint64_t begun = counters_begun(&run->result->counters);
    snprintf(extent, EXTENT_TEXT, "%s %s execution%s%s, seed %llu", say_grouped(begun, count),
             run->options->strategy, begun == 1 ? "" : "s", within_text(run, within),
             (unsigned long long)run->options->seed);
}

static void say_executions(const struct judged *run, bool all, char extent[EXTENT_TEXT]) {
    const struct counters *counters = &run->result->counters;
    char count[COUNT_SIZE], within[64];
    uint64_t complete = counters->executions - run->result->reached.deepening.executions;
    bool hidden = counters->cut_executions || run->result->search.bound_cut || complete == 0;
    uint64_t number = hidden ? result_begun_now(run->result) : complete;
    snprintf(extent, EXTENT_TEXT, "%s%s",
             all ? say_all(number, "execution", count) : say_count(number, "execution", count),
             within_text(run, within));
}

/* One of several strategies has explored everything. */
static void say_winner(const struct member_row *winner, char extent[EXTENT_TEXT]) {
    char all[COUNT_SIZE];
    snprintf(extent, EXTENT_TEXT, "%s",
             winner->states ? say_all(winner->states, "state", all)
                            : say_all(winner->executions, "execution", all));
}

/* The sentence may say "all" only if nothing was hidden except what the sentence names. */
void extent_of_search(const struct judged *run, const struct omissions *omissions,
                      char text[EXTENT_TEXT]) {
    const struct member_row *winner = members_winner(&run->result->reached.members);
    bool all = omissions_weight(omissions) < WEIGHT_BUDGET;
    if (omissions_have(omissions, OMISSION_ENDED))
        say_ended(run, text);
    else if (!strategy_has(run->strategy, EXHAUSTIVE))
        say_samples(run, text);
    else if (winner != NULL)
        say_winner(winner, text);
    else if (run->result->reached.strata.on)
        say_states(run, all, text);
    else
        say_executions(run, all, text);
}

void extent_of_deepening(const struct judged *run, char text[EXTENT_TEXT]) {
    struct bound bound = deepen_bound(run->options, run->result), completed = bound;
    char count[COUNT_SIZE], limit[32];
    completed.limit = run->result->reached.deepening.completed - 1;
    snprintf(text, EXTENT_TEXT,
             "no bug within %s (bound completed); the search within %u was ended by %s after %s",
             bound_text(completed, limit), bound.limit, omissions_ended_by(run),
             say_count(result_begun_now(run->result), "execution", count));
}

bool extent_says(enum omission_kind kind) {
    return kind == OMISSION_ENDED || kind == OMISSION_SAMPLED || kind == OMISSION_BOUND;
}
