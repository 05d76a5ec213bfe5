/* judge.c - see judge.h. The table is judge.def: each row has a condition and a sentence here. A
 * sentence of a search says first how far the search came (extent.h), then what it has left out
 * (omissions.h). */
#include "engine/judge/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/say_count.h"
#include "engine/judge/extent.h"
#include "engine/result.h"

__attribute__((format(printf, 2, 3))) static void say(struct judgement *judgement,
                                                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judgement->sentence, sizeof judgement->sentence, format, arguments);
    va_end(arguments);
}

static enum omission_weight weight(const struct judgement *judgement) {
    return omissions_weight(&judgement->omissions);
}

/* --- the search could not go on --- */

static bool has_difference(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return run->result->difference.text[0] != '\0';
}

static bool has_failed(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return run->result->failure.text[0] != '\0';
}

static bool failed_with(const struct judged *run, enum verdict verdict) {
    return run->result->failure.text[0] && run->result->failure.verdict == verdict;
}

static bool was_killed(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return failed_with(run, VERDICT_BUDGET);
}

static bool is_unsupported(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return failed_with(run, VERDICT_UNSUPPORTED);
}

static bool is_usage_error(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return failed_with(run, VERDICT_USAGE);
}

static bool failed_outside(const struct judged *run, const struct judgement *judgement) {
    return has_failed(run, judgement) && run->result->failure.outside;
}

static void say_difference(const struct judged *run, struct judgement *judgement) {
    const struct difference *difference = &run->result->difference;
    say(judgement, "uncontrolled nondeterminism: %s%s%s", difference->text,
        difference->place[0] ? " at " : "", difference->place);
}

static void say_killed(const struct judged *run, struct judgement *judgement) {
    char count[COUNT_SIZE];
    say(judgement, "%s after %s", run->result->failure.text,
        say_count(counters_begun(&run->result->counters), "execution", count));
}

static void say_failure(const struct judged *run, struct judgement *judgement) {
    const struct failure *failure = &run->result->failure;
    say(judgement, "%s%s%s", failure->text, failure->place[0] ? " at " : "", failure->place);
}

static void say_own_error(const struct judged *run, struct judgement *judgement) {
    const struct failure *failure = &run->result->failure;
    say(judgement, "error of Heddle itself, not of your program: %s%s%s", failure->text,
        failure->place[0] ? " at " : "", failure->place);
}

/* --- the search went on to some end --- */

static bool deepened_to_budget(const struct judged *run, const struct judgement *judgement) {
    return weight(judgement) == WEIGHT_BUDGET && deepen_completed(run->result) > 0 &&
           !run->result->search.exhausted;
}

static bool out_of_budget(const struct judged *run, const struct judgement *judgement) {
    (void)run;
    return weight(judgement) == WEIGHT_BUDGET;
}

static bool is_undecided(const struct judged *run, const struct judgement *judgement) {
    (void)run;
    return weight(judgement) == WEIGHT_UNDECIDED;
}

static bool is_bounded(const struct judged *run, const struct judgement *judgement) {
    (void)run;
    return weight(judgement) == WEIGHT_BOUNDS;
}

/* The user has not asked for code that cannot be seen, so such code is no requested bound. */
static bool bounded_by_sight(const struct judged *run, const struct judgement *judgement) {
    return is_bounded(run, judgement) && omissions_only_unseen(&judgement->omissions);
}

static bool has_winner(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return run->options->stage > 0 || members_winner(&run->result->reached.members) != NULL;
}

static bool always(const struct judged *run, const struct judgement *judgement) {
    (void)run, (void)judgement;
    return true;
}

/* Adds the clauses of all omissions that the extent does not cover. */
static void add_clauses(struct judgement *judgement) {
    size_t used = strlen(judgement->sentence);
    for (uint32_t i = 0; i < judgement->omissions.count; i++) {
        const struct omission *omission = &judgement->omissions.list[i];
        if (extent_says(omission->kind) || used >= sizeof judgement->sentence)
            continue;
        used += (size_t)snprintf(judgement->sentence + used, sizeof judgement->sentence - used,
                                 "; %s", omission->text);
    }
}

/* Writes `begin`, the extent, `end`, and then what was left out. */
static void say_search(const struct judged *run, struct judgement *judgement, const char *begin,
                       const char *end) {
    char extent[EXTENT_TEXT];
    extent_of_search(run, &judgement->omissions, extent);
    say(judgement, "%s: %s%s", begin, extent, end);
    add_clauses(judgement);
}

static void say_deepened(const struct judged *run, struct judgement *judgement) {
    char extent[EXTENT_TEXT];
    extent_of_deepening(run, extent);
    say(judgement, "%s", extent);
    add_clauses(judgement);
}

static void say_budget(const struct judged *run, struct judgement *judgement) {
    say_search(run, judgement, "no bug so far", "");
}

static void say_undecided(const struct judged *run, struct judgement *judgement) {
    char extent[EXTENT_TEXT];
    extent_of_search(run, &judgement->omissions, extent);
    say(judgement, "not verified: no bug in %s", extent);
    add_clauses(judgement);
}

static void say_as_far_as_seen(const struct judged *run, struct judgement *judgement) {
    say_search(run, judgement, "no bug as far as seen", "");
}

static void say_bounded(const struct judged *run, struct judgement *judgement) {
    say_search(run, judgement, "no bug within the bound", "");
}

static void say_through(const struct judged *run, struct judgement *judgement, const char *begin) {
    char text[32], end[128] = ", nothing cut off";
    if (run->options->deepen != BOUND_NONE)
        snprintf(end, sizeof end, ", nothing cut off; all that matters lies within %s",
                 bound_text(deepen_bound(run->options, run->result), text));
    say_search(run, judgement, begin, end);
}

static void say_verified_by(const struct judged *run, struct judgement *judgement) {
    const struct member_row *winner = members_winner(&run->result->reached.members);
    char begin[MEMBER_NAME + 16];
    snprintf(begin, sizeof begin, "verified by %s",
             winner != NULL ? winner->name : run->options->strategy);
    say_through(run, judgement, begin);
}

static void say_verified(const struct judged *run, struct judgement *judgement) {
    say_through(run, judgement, "verified");
}

/* --- a bug was found --- */

static bool has_bug(const struct judged *run, const struct judgement *judgement) {
    (void)judgement;
    return run->result->found.reported > 0;
}

static void say_bug(const struct judged *run, struct judgement *judgement);

/* --- the table --- */

static const struct row {
    enum verdict verdict;
    bool (*condition)(const struct judged *run, const struct judgement *judgement);
    void (*say)(const struct judged *run, struct judgement *judgement);
} rows[JUDGEMENTS] = {
#define JUDGEMENT(name, verdict, condition, sentence) {verdict, condition, sentence},
#include "engine/judge/judge.def"
#undef JUDGEMENT
};

/* The first row, starting at `row`, whose condition is met. The condition of the last row is always
 * met. */
static enum judgement_row first_row(const struct judged *run, const struct judgement *judgement,
                                    uint32_t row) {
    while (!rows[row].condition(run, judgement))
        row++;
    return (enum judgement_row)row;
}

static bool is_failure(enum judgement_row row) {
    return row > JUDGED_BUG && row <= JUDGED_ERROR;
}

/* The failure that ended the search after its findings. Empty if there was none. */
static void say_end(const struct judged *run, struct judgement *end) {
    enum judgement_row row = first_row(run, end, JUDGED_BUG + 1);
    if (is_failure(row))
        rows[row].say(run, end);
}

static void say_bug(const struct judged *run, struct judgement *judgement) {
    const struct found *found = &run->result->found;
    struct judgement end = {0};
    char text[32], count[COUNT_SIZE], within[48] = "", suppressed[COUNT_SIZE + 16] = "";
    say_end(run, &end);
    if (run->options->deepen != BOUND_NONE)
        snprintf(within, sizeof within, " within %s",
                 bound_text(deepen_bound(run->options, run->result), text));
    if (found->suppressed > 0)
        snprintf(suppressed, sizeof suppressed, "; %s suppressed",
                 say_count(found->suppressed, "finding", count));
    say(judgement, "bug: %s%s%s%s%.700s", say_count(found->reported, "finding", count), within,
        suppressed, end.sentence[0] ? "; then the search ended: " : "", end.sentence);
}

/* With --keep-going, a search can be complete although it has found a bug. */
static bool is_complete(const struct judged *run, const struct judgement *judgement) {
    if (judgement->row == JUDGED_BUG)
        return run->result->search.exhausted && weight(judgement) <= WEIGHT_NOTED;
    return verdict_info(judgement->verdict)->exit_code == 0 &&
           !omissions_have(&judgement->omissions, OMISSION_SUPPRESSED);
}

struct judgement judge(const struct strategy_info *strategy, const struct options *options,
                       const struct result *result) {
    const struct judged run = {strategy, options, result};
    struct judgement judgement = {0};
    omissions_find(&judgement.omissions, &run);
    judgement.row = first_row(&run, &judgement, 0);
    judgement.verdict = rows[judgement.row].verdict;
    rows[judgement.row].say(&run, &judgement);
    judgement.complete = is_complete(&run, &judgement);
    if (is_failure(judgement.row))
        judgement.omissions.count = 0;
    return judgement;
}
