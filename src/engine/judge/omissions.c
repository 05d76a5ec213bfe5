/* omissions.c - see omissions.h. A row of the table has a function here that writes its clause, or
 * returns false if the run has left out nothing of that kind. */
#include "engine/judge/omissions.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/say_count.h"
#include "engine/result.h"
#include "engine/strategy.h"

__attribute__((format(printf, 2, 3))) static bool say(char text[OMISSION_TEXT], const char *format,
                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, OMISSION_TEXT, format, arguments);
    va_end(arguments);
    return true;
}

/* --- the search did not come to its end --- */

const char *omissions_ended_by(const struct judged *run) {
    const struct result *result = run->result;
    bool found = result->found.count > 0 && !run->options->keep_going;
    bool failed = result->failure.text[0] || result->difference.text[0];
    return found                                            ? "a finding"
           : failed                                         ? "a failure"
           : result->search.stopped == STOPPED_BY_TIMEOUT   ? "--timeout"
           : result->search.stopped == STOPPED_BY_INTERRUPT ? "an interrupt"
           : result->search.leaving == LEAVES_FOR_STEPS     ? "the bound on steps of a stage"
           : result->search.leaving != LEAVES_NOT           ? "the change of strategy"
                                                            : "--max-executions";
}

static bool search_ended(const struct judged *run, char text[OMISSION_TEXT]) {
    bool stopped = run->result->search.stopped != STOPPED_NOT || run->result->failure.outside;
    bool samples = !strategy_has(run->strategy, EXHAUSTIVE) && !stopped;
    if (run->result->search.exhausted || samples)
        return false;
    return say(text, "%s ended the search", omissions_ended_by(run));
}

static bool states_lost(const struct judged *run, char text[OMISSION_TEXT]) {
    uint64_t lost = run->result->reached.strata.frontier_lost;
    char count[COUNT_SIZE];
    return lost > 0 && say(text, "%s could not be put aside to go on from (--memory)",
                           say_count(lost, "state", count));
}

static bool findings_lost(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->found.lost && say(text, "there are more findings than could be kept");
}

/* --- executions that were cut off --- */

static bool reduces(const struct judged *run) {
    const struct strategy_info *strategy = run->strategy;
    return strategy_has(strategy, EXHAUSTIVE) && !strategy_has(strategy, UNREDUCED);
}

/* An execution that was cut off hides the races after the cut, so a reduction does not know which
 * other executions it should have explored. A search that remembers states has seen only the part
 * of a state's future that comes before the cut. --max-steps is a bound only if the user has set
 * it. */
static bool cut_hides(const struct judged *run) {
    return reduces(run) || !run->options->max_steps_given;
}

static bool say_cut(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    uint64_t cut = result->counters.cut_executions, begun = counters_begun(&result->counters);
    char count[COUNT_SIZE], steps[COUNT_SIZE];
    say_count(cut, "execution", count);
    if (cut == begun && cut > 1 && !result->reached.strata.on)
        snprintf(count, sizeof count, "all of them");
    return say(text, "%s %s longer than %s and %s cut off (--max-steps)%s", count,
               cut == 1 ? "is" : "are", say_count(run->options->max_steps, "step", steps),
               cut == 1 ? "was" : "were",
               reduces(run) ? ", which hides other orders from this strategy" : "");
}

static bool cut_hides_orders(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->counters.cut_executions > 0 && cut_hides(run) && say_cut(run, text);
}

static bool cut_at_bound(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->counters.cut_executions > 0 && !cut_hides(run) && say_cut(run, text);
}

static bool nothing_complete(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct counters *counters = &run->result->counters;
    if (counters->executions > 0)
        return false;
    bool dropped = counters->dropped_executions > 0 && counters->cut_executions == 0;
    return say(text, "%s",
               dropped ? "assumptions drop every execution" : "no execution came to its end");
}

static bool earlier_undecided(const struct judged *run, char text[OMISSION_TEXT]) {
    const char *earlier = run->result->search.earlier;
    return earlier[0] && say(text, "%s", earlier);
}

/* --- what the strategy does not look at --- */

static bool orders_left(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    bool observes = strategy_has(run->strategy, BY_OBSERVATION);
    bool queues = result->observed.queues_matter && observes;
    bool continued = result->observed.continued && observes;
    if (!result->search.unsure && !queues && !continued)
        return false;
    return say(text, "where %s, %s may leave out orders that matter; --strategy=optimal does not",
               result->search.unsure ? "a loop waits for one of several things"
               : queues              ? "a queue can be full"
                                     : "a store continues a release sequence",
               run->options->strategy);
}

/* States from which no end can be reached. If no state leads to an end, another sentence says
 * so. */
static bool progress_unchecked(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    const struct strata *strata = &result->reached.strata;
    char count[COUNT_SIZE];
    if (result->counters.executions == 0 || (strata->endless == 0 && !strata->endless_unknown))
        return false;
    if (strata->endless_unknown)
        return say(text, "whether an end can be reached from each state was not decided");
    return say(text,
               "from %s no end can be reached (whether anything makes progress there was not "
               "checked)",
               say_count(strata->endless, "state", count));
}

static bool rounds_possible(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    const struct strata *strata = &result->reached.strata;
    return strata->rounds && result->search.exhausted && strata->endless == 0 &&
           !strata->endless_unknown &&
           say(text, "whether every execution ends was not decided (an end can be reached from "
                     "every state)");
}

static bool sampled(const struct judged *run, char text[OMISSION_TEXT]) {
    return !strategy_has(run->strategy, EXHAUSTIVE) &&
           say(text, "%s draws samples, it does not explore everything", run->options->strategy);
}

static bool beyond_bound(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    char limit[32];
    if (!result->search.bound_cut)
        return false;
    if (deepen_bound(run->options, result).kind == BOUND_NONE)
        return say(text, "what lies beyond the strata that were completed");
    return say(text, "executions with more than %s",
               bound_text(deepen_bound(run->options, result), limit));
}

static bool suppressed(const struct judged *run, char text[OMISSION_TEXT]) {
    char count[COUNT_SIZE];
    return run->result->found.suppressed > 0 &&
           say(text, "%s suppressed, behind which nothing is verified",
               say_count(run->result->found.suppressed, "finding", count));
}

/* --- what was found, and kept the search from something else --- */

static bool is_race(const struct finding *finding) {
    return finding_info(finding->kind)->races;
}

static bool is_early(const struct finding *finding) {
    return finding->early;
}

/* Only for findings that are reported. A search with suppressed findings verifies nothing anyway,
 * and a search that ended at a finding has left out more. */
static bool has_found(const struct judged *run, bool (*is_such)(const struct finding *finding)) {
    const struct result *result = run->result;
    if (!result->search.exhausted || run->result->found.reported == 0)
        return false;
    for (const struct session_finding *entry = result->found.first; entry != NULL;
         entry = entry->next)
        if (is_such(&entry->finding))
            return true;
    return false;
}

static bool racing_orders(const struct judged *run, char text[OMISSION_TEXT]) {
    return has_found(run, is_race) &&
           say(text, "orders of plain accesses that race were not tried");
}

static bool early_failures(const struct judged *run, char text[OMISSION_TEXT]) {
    return has_found(run, is_early) &&
           say(text, "the process died or looped before other tasks could move");
}

/* --- what the program was given, and what was seen of it --- */

static bool inputs_narrowed(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct ledger_entry *narrowed = &run->result->ledger.narrowed;
    return narrowed->count > 0 &&
           say(text, "inputs were narrowed: of %s, %s", narrowed->call, narrowed->why);
}

static bool random_fixed(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->observed.random_fixed &&
           say(text, "random numbers came in one sequence (--random)");
}

/* Data races are possible: several tasks share memory that Heddle sees. */
static bool can_race(const struct judged *run) {
    const struct result *result = run->result;
    return !run->result->unseen.accesses && result->observed.threads && !result->observed.machines;
}

static bool races_ignored(const struct judged *run, char text[OMISSION_TEXT]) {
    return can_race(run) && run->options->races == RACES_IGNORE &&
           say(text, "data races were ignored (--races=ignore), and their consequences");
}

static bool races_annotated(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->observed.annotated &&
           say(text, "annotations of the program hid data races and their consequences");
}

static bool numbers_unordered(const struct judged *run, char text[OMISSION_TEXT]) {
    const struct result *result = run->result;
    return result->observed.machines && run->options->numbers == NUMBERS_NAMES &&
           say(text, "numbers of machines were names without an order (--machine-numbers=names)");
}

static bool races_explored(const struct judged *run, char text[OMISSION_TEXT]) {
    return can_race(run) && run->options->races == RACES_EXPLORE &&
           !run->options->races_by_states &&
           say(text, "data races were explored, not reported (--races=explore)");
}

static bool races_unordered(const struct judged *run, char text[OMISSION_TEXT]) {
    return can_race(run) && run->result->observed.unordered &&
           say(text, "data races behind operations that order nothing (relaxed atomics, failed "
                     "tries) were not "
                     "looked for; --strategy=optimal does");
}

static bool analyses_left(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->observed.unjudged &&
           say(text, "what shows only on the way to a state was not looked for; "
                     "--strategy=optimal does");
}

static bool accesses_unseen(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->unseen.accesses && run->result->observed.threads &&
           say(text, "only library calls were seen: the program was not compiled by `heddle cc`");
}

static bool code_unseen(const struct judged *run, char text[OMISSION_TEXT]) {
    const char *unseen = run->result->unseen.code;
    return unseen[0] && say(text, "code that was not seen: %s", unseen);
}

static bool weak_memory(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->observed.weak_orders &&
           say(text, "weaker memory orders were taken as seq_cst");
}

static bool sequences_continued(const struct judged *run, char text[OMISSION_TEXT]) {
    return run->result->observed.continued &&
           say(text, "stores of the same thread continued release sequences, as in C11; in C++20 "
                     "they end them (--release-sequences)");
}

/* --- the table --- */

static const struct row {
    const char *name;
    enum omission_weight weight;
    bool (*clause)(const struct judged *run, char text[OMISSION_TEXT]);
} rows[OMISSIONS] = {
#define OMISSION(kind, clause, name, weight) {name, WEIGHT_##weight, clause},
#include "engine/judge/omissions.def"
#undef OMISSION
};

const char *omission_name(enum omission_kind kind) {
    return rows[kind].name;
}

enum omission_weight omission_weight(enum omission_kind kind) {
    return rows[kind].weight;
}

void omissions_find(struct omissions *omissions, const struct judged *run) {
    omissions->count = 0;
    for (uint32_t kind = 0; kind < OMISSIONS; kind++) {
        struct omission *next = &omissions->list[omissions->count];
        next->kind = (enum omission_kind)kind;
        omissions->count += rows[kind].clause(run, next->text);
    }
}

bool omissions_have(const struct omissions *omissions, enum omission_kind kind) {
    for (uint32_t i = 0; i < omissions->count; i++)
        if (omissions->list[i].kind == kind)
            return true;
    return false;
}

bool omissions_only_unseen(const struct omissions *omissions) {
    for (uint32_t i = 0; i < omissions->count; i++) {
        enum omission_kind kind = omissions->list[i].kind;
        if (kind != OMISSION_UNSEEN && kind != OMISSION_ACCESSES &&
            omission_weight(kind) >= WEIGHT_BOUNDS)
            return false;
    }
    return true;
}

enum omission_weight omissions_weight(const struct omissions *omissions) {
    enum omission_weight heaviest = WEIGHT_NONE;
    for (uint32_t i = 0; i < omissions->count; i++)
        if (omission_weight(omissions->list[i].kind) > heaviest)
            heaviest = omission_weight(omissions->list[i].kind);
    return heaviest;
}
