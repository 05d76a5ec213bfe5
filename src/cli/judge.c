/* judge.c - see judge.h.
 *
 * The order of the questions matters: a bug that was found is a bug, whatever happened afterwards; a
 * search that lost control must not claim anything; only then is asked what was left out. */
#include "cli/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
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
    char place[600], count[GROUPED_SIZE];
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
        say(judgement, verdict, "%s after %s executions", error,
            say_grouped(session_begun(&session->counters), count));
    else if (verdict == VERDICT_UNSUPPORTED || verdict == VERDICT_USAGE || !session->error[0])
        say(judgement, verdict, "%s%s", error, at(error_place, place));
    else
        say(judgement, VERDICT_ERROR, "error of Heddle itself, not of your program: %s%s", error,
            at(error_place, place));
    return true;
}

/* The bounds that the user chose and the search kept to. */
static void judge_bounded(struct judgement *judgement, const struct session *session) {
    const struct options *options = &session->options;
    struct bound given = deepen_bound(session);
    char count[GROUPED_SIZE], cut[GROUPED_SIZE], text[32], bound[64] = "", steps[96] = "";
    if (given.kind != BOUND_NONE)
        snprintf(bound, sizeof bound, " with at most %s", bound_text(given, text));
    if (session->counters.cut_executions)
        snprintf(steps, sizeof steps, "; %s cut off after %u steps",
                 say_grouped(session->counters.cut_executions, cut), options->max_steps);
    if (session->exhausted)
        say(judgement, VERDICT_BOUNDED, "no bug within the bound: all %s executions%s%s",
            say_grouped(session_begun_now(session), count), bound, steps);
    else
        say(judgement, VERDICT_BOUNDED, "no bug within the bound: %s %s executions%s, seed %llu%s",
            say_grouped(session_begun(&session->counters), count), options->strategy, bound,
            (unsigned long long)options->seed, steps);
    judgement->complete = true;
}

static const char *budget_name(const struct supervision *supervision) {
    return supervision->end == END_TIMEOUT       ? "--timeout"
           : supervision->end == END_INTERRUPTED ? "an interrupt"
                                                 : "--max-executions";
}

/* With --deepen: what was completed before. */
static void judge_deepened(struct judgement *judgement, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    struct bound bound = deepen_bound(session), completed = bound;
    char count[GROUPED_SIZE], text[32];
    completed.limit = session->deepening.completed - 1;
    say(judgement, VERDICT_BUDGET,
        "no bug within %s (bound completed); the search within %u was ended by %s after %s "
        "executions",
        bound_text(completed, text), bound.limit, budget_name(supervision),
        say_grouped(session_begun_now(session), count));
}

enum { ALL_SIZE = GROUPED_SIZE + 16 };

/* "all 4,096 executions", but "1 execution" */
static const char *say_all(uint64_t number, const char *noun, char text[ALL_SIZE]) {
    char count[GROUPED_SIZE];
    snprintf(text, ALL_SIZE, "%s%s %s%s", number == 1 ? "" : "all ", say_grouped(number, count),
             noun, number == 1 ? "" : "s");
    return text;
}

/* By one of several. */
static void judge_verified_by(struct judgement *judgement, const struct member_row *winner) {
    char all[ALL_SIZE];
    say(judgement, VERDICT_VERIFIED, "verified by %s: %s, nothing cut off", winner->name,
        winner->states ? say_all(winner->states, "state", all)
                       : say_all(winner->executions, "execution", all));
    judgement->complete = true;
}

/* The strategy has come to its end, but by what it does not know well enough. */
static void judge_unsure(struct judgement *judgement, const struct session *session) {
    char count[GROUPED_SIZE];
    say(judgement, VERDICT_BUDGET,
        "no bug in %s executions, but not verified: where %s, %s may leave out orders that matter; "
        "--strategy=optimal does not",
        say_grouped(session->counters.executions, count),
        session->unsure ? "a loop waits for one of several things" : "a queue can be full",
        session->options.strategy);
}

static void judge_verified(struct judgement *judgement, const struct session *session) {
    uint64_t executions = session->counters.executions - session->deepening.executions;
    char all[ALL_SIZE], text[32], enough[96] = "";
    if (session->unsure ||
        (session->queues_matter && strategy_named(session->options.strategy)->unless_queues)) {
        judge_unsure(judgement, session);
        return;
    }
    if (session->options.deepen != BOUND_NONE)
        snprintf(enough, sizeof enough, "; all that matters lies within %s",
                 bound_text(deepen_bound(session), text));
    say(judgement, VERDICT_VERIFIED, "verified: %s, nothing cut off%s%s",
        say_all(executions, "execution", all), enough,
        executions == 0 ? "; but no execution comes to an end: assumptions drop them all" : "");
    judgement->complete = true;
}

/* --- a search that remembers states --- */

/* "the strata of 0 to 3 delays" */
static const char *strata_text(const struct session *session, char text[64]) {
    const struct strata *strata = &session->strata;
    uint32_t count = strata->completed < STRATA_KEPT ? strata->completed : STRATA_KEPT;
    uint32_t first = strata->rows[0].bound, last = strata->rows[count - 1].bound;
    const char *unit = options_strata(&session->options);
    if (count == 1)
        snprintf(text, 64, "the stratum of %u %s", first, unit);
    else
        snprintf(text, 64, "the strata of %u to %u %s", first, last, unit);
    return text;
}

static void judge_strata_ended(struct judgement *judgement, const struct supervision *supervision) {
    const struct strata *strata = &supervision->session->strata;
    char count[GROUPED_SIZE], text[64], completed[96] = "";
    if (strata->completed > 0)
        snprintf(completed, sizeof completed, "; %s %s complete",
                 strata_text(supervision->session, text), strata->completed == 1 ? "is" : "are");
    say(judgement, VERDICT_BUDGET, "no bug so far: %s ended the search after %s states%s",
        budget_name(supervision), say_grouped(strata->states, count), completed);
}

/* Progress is not checked, but this is known: a last state would have been one of them. */
static const char *endless_text(const struct session_counters *counters) {
    bool ends = counters->executions + counters->dropped_executions > 0;
    return ends ? "" : "; no execution comes to an end";
}

/* A state is expanded where it is met first. So a cut there, or too little memory, leaves out what could
 * have been reached by another way: no bound was completed. */
static void judge_strata(struct judgement *judgement, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    const struct strata *strata = &session->strata;
    uint64_t cut = session->counters.cut_executions;
    char count[GROUPED_SIZE], other[GROUPED_SIZE], text[64], all[ALL_SIZE];
    say_grouped(strata->states, count);
    judgement->complete = session->exhausted && !strata->frontier_lost && !cut;
    if (!session->exhausted)
        judge_strata_ended(judgement, supervision);
    else if (strata->frontier_lost)
        say(judgement, VERDICT_BUDGET,
            "no bug so far: of %s states, %s could not be put aside to go on from (--memory)",
            count, say_grouped(strata->frontier_lost, other));
    else if (cut)
        say(judgement, VERDICT_BUDGET,
            "no bug so far in %s states: %s executions are longer than %u steps and were cut off "
            "(--max-steps)",
            count, say_grouped(cut, other), session->options.max_steps);
    else if (session->bound_cut)
        say(judgement, VERDICT_BOUNDED, "no bug within the bound: %s states, %s", count,
            strata_text(session, text));
    else if (strata->forgetful)
        say(judgement, VERDICT_VERIFIED,
            "verified: all states, some more than once for lack of memory; nothing cut off%s",
            endless_text(&session->counters));
    else
        say(judgement, VERDICT_VERIFIED, "verified: %s, nothing cut off%s",
            say_all(strata->states, "state", all), endless_text(&session->counters));
}

static void judge_search(struct judgement *judgement, const struct supervision *supervision) {
    const struct session *session = supervision->session;
    const struct session_counters *counters = &session->counters;
    char count[GROUPED_SIZE], cut[GROUPED_SIZE];
    say_grouped(session_begun(counters), count);
    if (session->strata.on)
        judge_strata(judgement, supervision);
    else if (!session->exhausted && session->deepening.completed > 0)
        judge_deepened(judgement, supervision);
    else if (!session->exhausted && supervision->end == END_TIMEOUT)
        say(judgement, VERDICT_BUDGET, "no bug so far: --timeout came after %s executions", count);
    else if (!session->exhausted && supervision->end == END_INTERRUPTED)
        say(judgement, VERDICT_BUDGET, "no bug so far: interrupted after %s executions", count);
    else if (!session->exhausted && options_exhaustive(&session->options))
        say(judgement, VERDICT_BUDGET, "no bug so far: --max-executions ended the search after %s",
            count);
    else if (counters->cut_executions && !session->options.max_steps_given)
        say(judgement, VERDICT_BUDGET,
            "no bug so far: %s of %s executions are longer than %u steps and were cut off "
            "(--max-steps)",
            say_grouped(counters->cut_executions, cut), count, session->options.max_steps);
    else if (session->exhausted && !counters->cut_executions && !session->bound_cut &&
             options_exhaustive(&session->options) && session->members.winner > 0)
        judge_verified_by(judgement, &session->members.rows[session->members.winner - 1]);
    else if (session->exhausted && !counters->cut_executions && !session->bound_cut &&
             options_exhaustive(&session->options))
        judge_verified(judgement, session);
    else
        judge_bounded(judgement, session);
}

/* Findings that nobody wants to hear of are there all the same: the execution of each was not followed
 * beyond it, or has a data race, so that less was explored than the search believes. */
static void qualify(struct judgement *judgement, const struct session *session,
                    uint32_t suppressed) {
    char rest[sizeof judgement->sentence];
    const char *colon = strchr(judgement->sentence, ':'), *plural = suppressed == 1 ? "" : "s";
    snprintf(rest, sizeof rest, "%s", judgement->sentence);
    judgement->complete = false;
    if (session->findings_lost && verdict_info(judgement->verdict)->exit_code == 0) {
        say(judgement, VERDICT_BUDGET,
            "no bug but %u suppressed finding%s so far; there are more than could be kept",
            suppressed, plural);
    } else if (judgement->verdict == VERDICT_VERIFIED && colon != NULL) {
        snprintf(rest, sizeof rest, "%s", colon + 2);
        say(judgement, VERDICT_BOUNDED,
            "no bug but %u suppressed finding%s, behind which nothing is verified: %.700s",
            suppressed, plural, rest);
    } else {
        say(judgement, judgement->verdict, "%.800s; %u finding%s suppressed", rest, suppressed,
            plural);
    }
}

static void judge_bug(struct judgement *judgement, const struct session *session, uint32_t reported,
                      const char *failure) {
    char text[32], within[48] = "";
    if (session->options.deepen != BOUND_NONE)
        snprintf(within, sizeof within, " within %s", bound_text(deepen_bound(session), text));
    say(judgement, VERDICT_BUG, "bug: %u finding%s%s%s%.700s", reported, reported == 1 ? "" : "s",
        within, failure[0] ? "; then the search ended: " : "", failure);
    /* With --keep-going the search may have gone through all the same. */
    judgement->complete = session->exhausted && !session->bound_cut && !session->findings_lost &&
                          !session->counters.cut_executions && !session->strata.frontier_lost;
}

void judge(struct judgement *judgement, const struct supervision *supervision,
           struct judge_findings found, const char *error_place, const char *difference_place) {
    const struct session *session = supervision->session;
    struct judgement failure = {0};
    memset(judgement, 0, sizeof *judgement);
    bool failed = judge_failure(&failure, supervision, error_place, difference_place);
    if (found.reported > 0)
        judge_bug(judgement, session, found.reported, failure.sentence);
    else if (failed)
        *judgement = failure;
    else
        judge_search(judgement, supervision);
    if (found.suppressed > 0)
        qualify(judgement, session, found.suppressed);
}
