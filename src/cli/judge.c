/* judge.c - see judge.h.
 *
 * The order of the questions matters. A bug that was found is a bug, whatever happened afterwards. A search
 * that lost control must not claim anything. Only then the omissions decide: the heaviest one (omissions.def)
 * is the verdict. The sentence says first how far the search came (its extent), then what it has left out. */
#include "cli/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "strategies/strategies.h"

__attribute__((format(printf, 3, 4))) static void
say(struct judgement *judgement, enum verdict verdict, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judgement->sentence, sizeof judgement->sentence, format, arguments);
    va_end(arguments);
    judgement->verdict = verdict;
}

static const char *at(const char *place, char text[600]) {
    snprintf(text, 600, place[0] ? " at %s" : "%s", place);
    return text;
}

static bool judge_failure(struct judgement *judgement, const struct supervision *supervision,
                          const char *error_place, const char *difference_place) {
    const struct session *session = supervision->session;
    char place[600], count[COUNT_SIZE];
    bool killed = session->difference[0] && supervise_from_outside(session->died_signal);
    if (session->difference[0] && !killed) {
        say(judgement, VERDICT_UNCONTROLLED, "uncontrolled nondeterminism: %s%s",
            session->difference, at(difference_place, place));
        return true;
    }
    if (!session->error[0] && supervision->end != END_FAILED && !killed)
        return false;
    const char *error = session->error[0] ? session->error : killed ? KILLED : supervision->error;
    enum verdict verdict = session->error[0] ? session->error_verdict
                           : killed          ? VERDICT_BUDGET
                                             : supervision->verdict;
    if (verdict == VERDICT_BUDGET)
        say(judgement, verdict, "%s after %s", error,
            say_count(session_begun(&session->counters), "execution", count));
    else if (verdict == VERDICT_UNSUPPORTED || verdict == VERDICT_USAGE || !session->error[0])
        say(judgement, verdict, "%s%s", error, at(error_place, place));
    else
        say(judgement, VERDICT_ERROR, "error of Heddle itself, not of your program: %s%s", error,
            at(error_place, place));
    return true;
}

/* --- how far the search came --- */

enum { EXTENT_SIZE = 300 };

struct extent {
    char text[EXTENT_SIZE];
};

/* "all 4,096 executions", but "1 execution" */
static const char *say_all(uint64_t number, const char *noun, char text[COUNT_SIZE]) {
    char count[COUNT_SIZE];
    snprintf(text, COUNT_SIZE, "%s%s", number > 1 ? "all " : "", say_count(number, noun, count));
    return text;
}

/* " with at most 2 preemptions", where that may have hidden something. */
static const char *within_text(const struct session *session, char text[64]) {
    char limit[32];
    struct bound bound = deepen_bound(session);
    text[0] = '\0';
    bool samples = !strategy_named(session->options.strategy)->exhaustive;
    if (bound.kind != BOUND_NONE && (session->bound_cut || samples))
        snprintf(text, 64, " with at most %s", bound_text(bound, limit));
    return text;
}

/* "the strata of 0 to 3 delays" */
static const char *strata_text(const struct session *session, char text[64]) {
    const struct strata *strata = &session->strata;
    uint32_t count = strata->completed < STRATA_KEPT ? strata->completed : STRATA_KEPT;
    uint32_t first = strata->rows[0].bound, last = strata->rows[count - 1].bound;
    const char *unit = strategy_strata(strategy_named(session->options.strategy));
    if (count == 1)
        snprintf(text, 64, "the stratum of %u %s", first, unit);
    else
        snprintf(text, 64, "the strata of %u to %u %s", first, last, unit);
    return text;
}

static void say_ended(struct extent *extent, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    const struct strata *strata = &session->strata;
    char count[COUNT_SIZE], text[64], completed[96] = "";
    uint64_t number = strata->on ? strata->states : session_begun(&session->counters);
    if (strata->on && strata->completed > 0)
        snprintf(completed, sizeof completed, "; %s %s complete", strata_text(session, text),
                 strata->completed == 1 ? "is" : "are");
    snprintf(extent->text, EXTENT_SIZE, "%s ended the search after %s%s",
             omissions_ended_by(supervision),
             say_count(number, strata->on ? "state" : "execution", count), completed);
}

/* A search in strata that came to its end. */
static void say_states(struct extent *extent, const struct session *session, bool all) {
    const struct strata *strata = &session->strata;
    char count[COUNT_SIZE], text[64];
    if (session->bound_cut && strata->completed > 0)
        snprintf(extent->text, EXTENT_SIZE, "%s, %s", say_count(strata->states, "state", count),
                 strata_text(session, text));
    else if (strata->states == 0) /* states are counted from the first one with a choice on */
        snprintf(extent->text, EXTENT_SIZE, "no state has a choice");
    else if (strata->forgetful)
        snprintf(extent->text, EXTENT_SIZE, "%s, some more than once for lack of memory",
                 all ? "all states" : "states");
    else
        snprintf(extent->text, EXTENT_SIZE, "%s",
                 all ? say_all(strata->states, "state", count)
                     : say_count(strata->states, "state", count));
}

static void say_samples(struct extent *extent, const struct session *session) {
    char count[GROUPED_SIZE], within[64];
    uint64_t begun = session_begun(&session->counters);
    snprintf(extent->text, EXTENT_SIZE, "%s %s execution%s%s, seed %llu", say_grouped(begun, count),
             session->options.strategy, begun == 1 ? "" : "s", within_text(session, within),
             (unsigned long long)session->options.seed);
}

static void say_executions(struct extent *extent, const struct session *session, bool all) {
    char count[COUNT_SIZE], within[64];
    uint64_t complete = session->counters.executions - session->deepening.executions;
    uint64_t number = session->counters.cut_executions || session->bound_cut || complete == 0
                          ? session_begun_now(session)
                          : complete;
    snprintf(extent->text, EXTENT_SIZE, "%s%s",
             all ? say_all(number, "execution", count) : say_count(number, "execution", count),
             within_text(session, within));
}

/* With --deepen: what was completed before. */
static void say_deepened(struct extent *extent, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    struct bound bound = deepen_bound(session), completed = bound;
    char count[COUNT_SIZE], text[32];
    completed.limit = session->deepening.completed - 1;
    snprintf(extent->text, EXTENT_SIZE,
             "no bug within %s (bound completed); the search within %u was ended by %s after %s",
             bound_text(completed, text), bound.limit, omissions_ended_by(supervision),
             say_count(session_begun_now(session), "execution", count));
}

/* By one of several. */
static void say_winner(struct extent *extent, const struct member_row *winner) {
    char all[COUNT_SIZE];
    snprintf(extent->text, EXTENT_SIZE, "%s",
             winner->states ? say_all(winner->states, "state", all)
                            : say_all(winner->executions, "execution", all));
}

static const struct member_row *winner_of(const struct session *session) {
    uint32_t winner = session->members.winner;
    return winner > 0 ? &session->members.rows[winner - 1] : NULL;
}

/* A word such as "all" needs that nothing was hidden but what the sentence says. */
static void say_extent(struct extent *extent, const struct judgement *judgement,
                       const struct supervision *supervision) {
    const struct session *session = supervision->session;
    bool all = omissions_weight(&judgement->omissions) < WEIGHT_BUDGET;
    if (omissions_have(&judgement->omissions, OMISSION_ENDED))
        say_ended(extent, supervision);
    else if (!strategy_named(session->options.strategy)->exhaustive)
        say_samples(extent, session);
    else if (winner_of(session) != NULL)
        say_winner(extent, winner_of(session));
    else if (session->strata.on)
        say_states(extent, session, all);
    else
        say_executions(extent, session, all);
}

/* --- the verdict --- */

/* The extent says these already. */
static bool in_extent(enum omission_kind kind) {
    return kind == OMISSION_ENDED || kind == OMISSION_SAMPLED || kind == OMISSION_BOUND;
}

static void add_clauses(struct judgement *judgement) {
    size_t used = strlen(judgement->sentence);
    for (uint32_t i = 0; i < judgement->omissions.count; i++) {
        const struct omission *omission = &judgement->omissions.list[i];
        if (in_extent(omission->kind) || used >= sizeof judgement->sentence)
            continue;
        used += (size_t)snprintf(judgement->sentence + used, sizeof judgement->sentence - used,
                                 "; %s", omission->text);
    }
}

static void say_verified(struct judgement *judgement, const struct session *session,
                         const struct extent *extent) {
    const struct member_row *winner = winner_of(session);
    char text[32], enough[96] = "";
    if (session->options.deepen != BOUND_NONE)
        snprintf(enough, sizeof enough, "; all that matters lies within %s",
                 bound_text(deepen_bound(session), text));
    say(judgement, VERDICT_VERIFIED, "verified%s%s: %s, nothing cut off%s",
        winner != NULL ? " by " : "", winner != NULL ? winner->name : "", extent->text, enough);
}

static void judge_search(struct judgement *judgement, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    struct extent extent;
    say_extent(&extent, judgement, supervision);
    switch (omissions_weight(&judgement->omissions)) {
    case WEIGHT_NONE:
    case WEIGHT_NOTED: say_verified(judgement, session, &extent); break;
    case WEIGHT_BOUNDS:
        say(judgement, VERDICT_BOUNDED, "no bug %s: %s",
            omissions_only_unseen(&judgement->omissions) ? "as far as seen" : "within the bound",
            extent.text);
        break;
    case WEIGHT_UNDECIDED:
        say(judgement, VERDICT_UNDECIDED, "not verified: no bug in %s", extent.text);
        break;
    case WEIGHT_BUDGET:
        if (deepen_completed(session) > 0 && !session->exhausted) {
            say_deepened(&extent, supervision);
            say(judgement, VERDICT_BUDGET, "%s", extent.text);
        } else
            say(judgement, VERDICT_BUDGET, "no bug so far: %s", extent.text);
        break;
    }
    judgement->complete = verdict_info(judgement->verdict)->exit_code == 0 &&
                          !omissions_have(&judgement->omissions, OMISSION_SUPPRESSED);
    add_clauses(judgement);
}

static void judge_bug(struct judgement *judgement, const struct session *session,
                      struct judge_findings found, const char *failure) {
    char text[32], count[COUNT_SIZE], within[48] = "", suppressed[COUNT_SIZE + 16] = "";
    if (session->options.deepen != BOUND_NONE)
        snprintf(within, sizeof within, " within %s", bound_text(deepen_bound(session), text));
    if (found.suppressed > 0)
        snprintf(suppressed, sizeof suppressed, "; %s suppressed",
                 say_count(found.suppressed, "finding", count));
    say(judgement, VERDICT_BUG, "bug: %s%s%s%s%.700s", say_count(found.reported, "finding", count),
        within, suppressed, failure[0] ? "; then the search ended: " : "", failure);
    /* With --keep-going the search may have gone through all the same. */
    judgement->complete =
        session->exhausted && omissions_weight(&judgement->omissions) <= WEIGHT_NOTED;
}

void judge(struct judgement *judgement, const struct supervision *supervision,
           struct judge_findings found, const char *error_place, const char *difference_place) {
    const struct omission_source source = {supervision, found.suppressed, found.reported};
    struct judgement failure = {0};
    memset(judgement, 0, sizeof *judgement);
    bool failed = judge_failure(&failure, supervision, error_place, difference_place);
    if (found.reported == 0 && failed) {
        *judgement = failure;
        return;
    }
    omissions_find(&judgement->omissions, &source);
    if (found.reported > 0)
        judge_bug(judgement, supervision->session, found, failure.sentence);
    else
        judge_search(judgement, supervision);
}
