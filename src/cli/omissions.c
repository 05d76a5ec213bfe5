/* omissions.c - see omissions.h. A row of the table has a function here that writes its clause, or returns false
 * if the run has left out nothing of that kind. */
#include "cli/omissions.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/say.h"
#include "strategies/strategies.h"

__attribute__((format(printf, 2, 3))) static bool say(char text[OMISSION_TEXT], const char *format,
                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, OMISSION_TEXT, format, arguments);
    va_end(arguments);
    return true;
}

static const struct session *session_of(const struct omission_source *source) {
    return source->supervision->session;
}

static const struct strategy_ops *strategy_of(const struct omission_source *source) {
    return strategy_named(session_of(source)->options.strategy);
}

/* --- the search did not come to its end --- */

const char *omissions_ended_by(const struct supervision *supervision) {
    const struct session *session = supervision->session;
    bool found = session->finding_count > 0 && !session->options.keep_going;
    return found                                 ? "a finding"
           : supervision->end == END_TIMEOUT     ? "--timeout"
           : supervision->end == END_INTERRUPTED ? "an interrupt"
                                                 : "--max-executions";
}

static bool search_ended(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct supervision *supervision = source->supervision;
    bool samples = !strategy_of(source)->exhaustive && supervision->end == END_DONE;
    if (session_of(source)->exhausted || samples)
        return false;
    return say(text, "%s ended the search", omissions_ended_by(supervision));
}

static bool states_lost(const struct omission_source *source, char text[OMISSION_TEXT]) {
    uint64_t lost = session_of(source)->strata.frontier_lost;
    char count[COUNT_SIZE];
    return lost > 0 && say(text, "%s could not be put aside to go on from (--memory)",
                           say_count(lost, "state", count));
}

static bool findings_lost(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->findings_lost &&
           say(text, "there are more findings than could be kept");
}

/* --- executions that were cut off --- */

static bool reduces(const struct omission_source *source) {
    const struct strategy_ops *strategy = strategy_of(source);
    return strategy->exhaustive && !strategy->unreduced;
}

/* An execution that was cut off hides the races behind the cut, so a reduction does not know which others it
 * should have explored. Of a state that was met on the way first, only what comes within the cut was seen.
 * And --max-steps is a bound only if the user has named it. */
static bool cut_hides(const struct omission_source *source) {
    return reduces(source) || !session_of(source)->options.max_steps_given;
}

static bool say_cut(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    uint64_t cut = session->counters.cut_executions, begun = session_begun(&session->counters);
    char count[COUNT_SIZE], steps[COUNT_SIZE];
    say_count(cut, "execution", count);
    if (cut == begun && cut > 1 && !session->strata.on)
        snprintf(count, sizeof count, "all of them");
    return say(text, "%s %s longer than %s and %s cut off (--max-steps)%s", count,
               cut == 1 ? "is" : "are", say_count(session->options.max_steps, "step", steps),
               cut == 1 ? "was" : "were",
               reduces(source) ? ", which hides other orders from this strategy" : "");
}

static bool cut_hides_orders(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->counters.cut_executions > 0 && cut_hides(source) &&
           say_cut(source, text);
}

static bool cut_at_bound(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->counters.cut_executions > 0 && !cut_hides(source) &&
           say_cut(source, text);
}

static bool nothing_complete(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session_counters *counters = &session_of(source)->counters;
    if (counters->executions > 0)
        return false;
    bool dropped = counters->dropped_executions > 0 && counters->cut_executions == 0;
    return say(text, "%s",
               dropped ? "assumptions drop every execution" : "no execution came to its end");
}

/* --- what the strategy does not look at --- */

static bool orders_left(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    bool queues = session->queues_matter && strategy_of(source)->unless_queues;
    bool continued = session->continued && strategy_of(source)->unless_continued;
    if (!session->unsure && !queues && !continued)
        return false;
    return say(text, "where %s, %s may leave out orders that matter; --strategy=optimal does not",
               session->unsure ? "a loop waits for one of several things"
               : queues        ? "a queue can be full"
                               : "a store continues a release sequence",
               session->options.strategy);
}

/* States from which no end can be reached. If there is no end at all, that is said elsewhere. */
static bool progress_unchecked(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    const struct strata *strata = &session->strata;
    char count[COUNT_SIZE];
    if (session->counters.executions == 0 || (strata->endless == 0 && !strata->endless_unknown))
        return false;
    if (strata->endless_unknown)
        return say(text, "whether an end can be reached from each state was not decided");
    return say(text,
               "from %s no end can be reached (whether anything gets on there was not checked)",
               say_count(strata->endless, "state", count));
}

static bool rounds_possible(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    const struct strata *strata = &session->strata;
    return strata->rounds && session->exhausted && strata->endless == 0 &&
           !strata->endless_unknown &&
           say(text, "whether every execution ends was not decided (an end can be reached from "
                     "every state)");
}

static bool sampled(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return !strategy_of(source)->exhaustive &&
           say(text, "%s draws samples, it does not explore everything",
               session_of(source)->options.strategy);
}

static bool beyond_bound(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    char limit[32];
    if (!session->bound_cut)
        return false;
    if (deepen_bound(session).kind == BOUND_NONE)
        return say(text, "what lies beyond the strata that were completed");
    return say(text, "executions with more than %s", bound_text(deepen_bound(session), limit));
}

static bool suppressed(const struct omission_source *source, char text[OMISSION_TEXT]) {
    char count[COUNT_SIZE];
    return source->suppressed > 0 && say(text, "%s suppressed, behind which nothing is verified",
                                         say_count(source->suppressed, "finding", count));
}

/* --- what was found, and kept the search from something else --- */

static bool is_race(const struct finding *finding) {
    return finding->kind == FINDING_RACE;
}

static bool is_early(const struct finding *finding) {
    return finding->early;
}

/* If something is reported. Behind suppressed findings nothing is verified anyway, and a search that ended at a
 * finding has left out more. */
static bool has_found(const struct omission_source *source,
                      bool (*is_such)(const struct finding *finding)) {
    const struct session *session = session_of(source);
    if (!session->exhausted || source->reported == 0)
        return false;
    for (const struct session_finding *entry = session->findings; entry != NULL;
         entry = entry->next)
        if (is_such(&entry->finding))
            return true;
    return false;
}

static bool racing_orders(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return has_found(source, is_race) &&
           say(text, "orders of plain accesses that race were not tried");
}

static bool early_failures(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return has_found(source, is_early) &&
           say(text, "the process died or looped before other tasks could move");
}

/* --- what the program was given, and what was seen of it --- */

static bool inputs_narrowed(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct ledger_entry *narrowed = &session_of(source)->narrowed;
    return narrowed->count > 0 &&
           say(text, "inputs were narrowed: of %s, %s", narrowed->call, narrowed->why);
}

static bool random_fixed(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->random_fixed &&
           say(text, "random numbers came in one sequence (--random)");
}

/* Data races are possible: several tasks share memory that is seen. */
static bool can_race(const struct omission_source *source) {
    const struct session *session = session_of(source);
    return source->supervision->linked && session->threads_seen && !session->machines;
}

static bool races_ignored(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return can_race(source) && session_of(source)->options.races == RACES_IGNORE &&
           say(text, "data races were ignored (--races=ignore), and what comes of them");
}

static bool races_annotated(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->annotated &&
           say(text, "annotations of the program hid data races, and what comes of them");
}

static bool numbers_unordered(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const struct session *session = session_of(source);
    return session->machines && session->options.numbers == NUMBERS_NAMES &&
           say(text, "numbers of machines were names without an order (--machine-numbers=names)");
}

static bool races_explored(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return can_race(source) && session_of(source)->options.races == RACES_EXPLORE &&
           !session_of(source)->options.races_by_states &&
           say(text, "data races were explored, not reported (--races=explore)");
}

static bool races_unordered(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return can_race(source) && session_of(source)->unordered &&
           say(text, "data races behind operations that order nothing (relaxed atomics, failed "
                     "tries) were not "
                     "looked for; --strategy=optimal does");
}

static bool accesses_unseen(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return !source->supervision->linked && session_of(source)->threads_seen &&
           say(text, "only library calls were seen: the program was not compiled by `heddle cc`");
}

static bool code_unseen(const struct omission_source *source, char text[OMISSION_TEXT]) {
    const char *unseen = source->supervision->unseen;
    return unseen[0] && say(text, "code that was not seen: %s", unseen);
}

static bool weak_memory(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->weak_orders &&
           say(text, "weaker memory orders were taken as seq_cst");
}

static bool sequences_continued(const struct omission_source *source, char text[OMISSION_TEXT]) {
    return session_of(source)->continued &&
           say(text, "stores of the same thread continued release sequences, as in C11; in C++20 "
                     "they end them (--release-sequences)");
}

/* --- the table --- */

static const struct row {
    const char *name;
    enum omission_weight weight;
    bool (*clause)(const struct omission_source *source, char text[OMISSION_TEXT]);
} rows[OMISSIONS] = {
#define OMISSION(kind, clause, name, weight) {name, WEIGHT_##weight, clause},
#include "cli/omissions.def"
#undef OMISSION
};

const char *omission_name(enum omission_kind kind) {
    return rows[kind].name;
}

enum omission_weight omission_weight(enum omission_kind kind) {
    return rows[kind].weight;
}

void omissions_find(struct omissions *omissions, const struct omission_source *source) {
    omissions->count = 0;
    for (uint32_t kind = 0; kind < OMISSIONS; kind++) {
        struct omission *next = &omissions->list[omissions->count];
        next->kind = (enum omission_kind)kind;
        omissions->count += rows[kind].clause(source, next->text);
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
