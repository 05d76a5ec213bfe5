/* test_judge_rows.c - every row of judge.def and omissions.def: a result that meets its condition,
 * and the sentence. A new row without a case here fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judged.h"

/* --- judge.def -------------------------------------------------------------------------------- */

static void fail_with(enum verdict verdict, bool outside) {
    result.failure = (struct failure){.text = "broken", .verdict = verdict, .outside = outside};
    strcpy(result.failure.place, "a.c:3 in f");
}

static void find_bug(void) {
    result.found.reported = 1;
}

static void differ(void) {
    strcpy(result.difference.text, "task 1 moved");
    strcpy(result.difference.place, "a.c:3 in f");
}

static void be_killed(void) {
    fail_with(VERDICT_BUDGET, true);
}

static void be_unsupported(void) {
    fail_with(VERDICT_UNSUPPORTED, false);
}

static void be_misused(void) {
    fail_with(VERDICT_USAGE, false);
}

static void fail_outside(void) {
    fail_with(VERDICT_ERROR, true);
}

static void fail_inside(void) {
    fail_with(VERDICT_ERROR, false);
}

static void end_early(void) {
    result.search.exhausted = false;
}

static void end_early_while_deepening(void) {
    end_early();
    options.deepen = BOUND_DELAYS;
    result.reached.deepening = (struct deepening){.limit = 1, .completed = 1, .begun = 5};
}

static void be_unsure(void) {
    result.search.unsure = true;
}

static void see_calls_only(void) {
    result.unseen.accesses = true;
}

static void hide_by_bound(void) {
    options.preemptions = 1;
    result.search.bound_cut = true;
}

static void let_a_member_win(void) {
    result.reached.members =
        (struct members){.rows = {{.name = "ses rtc", .states = 7}}, .count = 1, .winner = 1};
}

static void change_nothing(void) {
}

static const struct judgement_case {
    enum judgement_row row;
    void (*fill)(void);
    const char *sentence;
} judgement_cases[] = {
    {JUDGED_BUG, find_bug, "bug: 1 finding"},
    {JUDGED_DIFFERENCE, differ, "uncontrolled nondeterminism: task 1 moved at a.c:3 in f"},
    {JUDGED_KILLED, be_killed, "broken after 12 executions"},
    {JUDGED_UNSUPPORTED, be_unsupported, "broken at a.c:3 in f"},
    {JUDGED_USAGE, be_misused, "broken at a.c:3 in f"},
    {JUDGED_SUPERVISION, fail_outside, "broken at a.c:3 in f"},
    {JUDGED_ERROR, fail_inside,
     "error of Heddle itself, not of your program: broken at a.c:3 in f"},
    {JUDGED_DEEPENED, end_early_while_deepening,
     "no bug within 0 delays (bound completed); the search within 1 was ended by --max-executions "
     "after 7 executions"},
    {JUDGED_BUDGET, end_early,
     "no bug so far: --max-executions ended the search after 12 executions"},
    {JUDGED_UNDECIDED, be_unsure,
     "not verified: no bug in all 12 executions; where a loop waits for one of several things, "
     "optimal may leave out orders that matter; --strategy=optimal does not"},
    {JUDGED_UNSEEN, see_calls_only,
     "no bug as far as seen: all 12 executions; only library calls were seen: the program was not "
     "compiled by `heddle cc`"},
    {JUDGED_BOUNDED, hide_by_bound,
     "no bug within the bound: all 12 executions with at most 1 preemption"},
    {JUDGED_VERIFIED_BY, let_a_member_win, "verified by ses rtc: all 7 states, nothing cut off"},
    {JUDGED_VERIFIED, change_nothing, "verified: all 12 executions, nothing cut off"},
};

/* Fails for a row of judge.def that has no case above. */
static void every_judgement(void **state) {
    uint32_t hit[JUDGEMENTS] = {0};
    for (uint32_t i = 0; i < sizeof judgement_cases / sizeof *judgement_cases; i++) {
        const struct judgement_case *at = &judgement_cases[i];
        judged_begin(state);
        at->fill();
        assert_int_equal(judged().row, at->row);
        assert_string_equal(judged().sentence, at->sentence);
        hit[at->row]++;
    }
    for (uint32_t row = 0; row < JUDGEMENTS; row++)
        if (hit[row] == 0)
            fail_msg("no test for row %u of judge.def", row);
}

/* --- omissions.def ---------------------------------------------------------------------------- */

static void lose_states(void) {
    result.reached.strata.frontier_lost = 1;
}

static void lose_findings(void) {
    result.found.lost = true;
}

static void cut_off(void) {
    options.max_steps = 4;
    result.counters.cut_executions = 1;
}

static void cut_off_at_a_bound(void) {
    cut_off();
    strcpy(options.strategy, "dfs");
    options.max_steps_given = true;
}

static void leave_it_undecided(void) {
    strcpy(result.search.earlier, "optimal meets loops that do not end");
}

static void complete_nothing(void) {
    result.counters.executions = 0;
    result.counters.blocked_executions = 1;
}

static void reach_no_end(void) {
    result.reached.strata.endless = 2;
}

static void go_round(void) {
    result.reached.strata.rounds = true;
}

static void draw_samples(void) {
    strcpy(options.strategy, "random");
}

static void suppress(void) {
    result.found.suppressed = 1;
}

/* A finding in the list, which is reported. */
static void list_finding(enum finding_kind kind, bool early) {
    static struct session_finding entry;
    entry = (struct session_finding){.finding = {.kind = kind, .early = early}};
    result.found = (struct found){.first = &entry, .last = &entry, .count = 1, .reported = 1};
}

static void find_race(void) {
    list_finding(FINDING_RACE, false);
}

static void find_early(void) {
    list_finding(FINDING_ASSERTION, true);
}

static void narrow_input(void) {
    result.ledger.narrowed = (struct ledger_entry){.call = "rand", .why = "few", .count = 1};
}

static void ignore_races(void) {
    options.races = RACES_IGNORE;
}

static void explore_races(void) {
    options.races = RACES_EXPLORE;
}

static void annotate(void) {
    result.observed.annotated = true;
}

static void number_by_names(void) {
    result.observed.machines = true;
    options.numbers = NUMBERS_NAMES;
}

static void have_unseen_code(void) {
    strcpy(result.unseen.code, "libx.so");
}

static void leave_races_unordered(void) {
    result.observed.unordered = true;
}

static void miss_an_analysis(void) {
    result.observed.unjudged = true;
}

static void fix_random(void) {
    result.observed.random_fixed = true;
}

static void meet_weak_orders(void) {
    result.observed.weak_orders = true;
}

static void continue_sequences(void) {
    result.observed.continued = true;
}

static const struct omission_case {
    enum omission_kind kind;
    void (*fill)(void);
    const char *text;
} omission_cases[] = {
    {OMISSION_ENDED, end_early, "--max-executions ended the search"},
    {OMISSION_FRONTIER, lose_states, "1 state could not be put aside to go on from (--memory)"},
    {OMISSION_FINDINGS, lose_findings, "there are more findings than could be kept"},
    {OMISSION_CUT_HIDES, cut_off,
     "1 execution is longer than 4 steps and was cut off (--max-steps), which hides other orders "
     "from this strategy"},
    {OMISSION_CUT, cut_off_at_a_bound,
     "1 execution is longer than 4 steps and was cut off (--max-steps)"},
    {OMISSION_NOTHING_COMPLETE, complete_nothing, "no execution came to its end"},
    {OMISSION_EARLIER, leave_it_undecided, "optimal meets loops that do not end"},
    {OMISSION_ORDERS, be_unsure,
     "where a loop waits for one of several things, optimal may leave out orders that matter; "
     "--strategy=optimal does not"},
    {OMISSION_PROGRESS, reach_no_end,
     "from 2 states no end can be reached (whether anything makes progress there was not checked)"},
    {OMISSION_SAMPLED, draw_samples, "random draws samples, it does not explore everything"},
    {OMISSION_BOUND, hide_by_bound, "executions with more than 1 preemption"},
    {OMISSION_SUPPRESSED, suppress, "1 finding suppressed, behind which nothing is verified"},
    {OMISSION_RACING, find_race, "orders of plain accesses that race were not tried"},
    {OMISSION_EARLY, find_early, "the process died or looped before other tasks could move"},
    {OMISSION_INPUTS, narrow_input, "inputs were narrowed: of rand, few"},
    {OMISSION_RACES_IGNORED, ignore_races,
     "data races were ignored (--races=ignore), and their consequences"},
    {OMISSION_ANNOTATED, annotate,
     "annotations of the program hid data races and their consequences"},
    {OMISSION_NUMBERS, number_by_names,
     "numbers of machines were names without an order (--machine-numbers=names)"},
    {OMISSION_ACCESSES, see_calls_only,
     "only library calls were seen: the program was not compiled by `heddle cc`"},
    {OMISSION_UNSEEN, have_unseen_code, "code that was not seen: libx.so"},
    {OMISSION_RACES_WEAK, leave_races_unordered,
     "data races behind operations that order nothing (relaxed atomics, failed tries) were not "
     "looked for; --strategy=optimal does"},
    {OMISSION_UNJUDGED, miss_an_analysis,
     "what shows only on the way to a state was not looked for; --strategy=optimal does"},
    {OMISSION_ROUNDS, go_round,
     "whether every execution ends was not decided (an end can be reached from every state)"},
    {OMISSION_RANDOM_FIXED, fix_random, "random numbers came in one sequence (--random)"},
    {OMISSION_RACES_EXPLORED, explore_races,
     "data races were explored, not reported (--races=explore)"},
    {OMISSION_WEAK_MEMORY, meet_weak_orders, "weaker memory orders were taken as seq_cst"},
    {OMISSION_SEQUENCES, continue_sequences,
     "stores of the same thread continued release sequences, as in C11; in C++20 they end them "
     "(--release-sequences)"},
};

static enum verdict verdict_by_weight(enum omission_weight weight) {
    switch (weight) {
    case WEIGHT_NONE:
    case WEIGHT_NOTED: return VERDICT_VERIFIED;
    case WEIGHT_BOUNDS: return VERDICT_BOUNDED;
    case WEIGHT_UNDECIDED: return VERDICT_UNDECIDED;
    case WEIGHT_BUDGET: return VERDICT_BUDGET;
    }
    return VERDICTS;
}

/* Fails for a row of omissions.def that has no case above. Each case has this omission and no
 * other, so its weight alone is the verdict, unless a bug was found. */
static void every_omission(void **state) {
    uint32_t hit[OMISSIONS] = {0};
    for (uint32_t i = 0; i < sizeof omission_cases / sizeof *omission_cases; i++) {
        const struct omission_case *at = &omission_cases[i];
        judged_begin(state);
        at->fill();
        struct judgement judgement = judged();
        bool bug = result.found.reported > 0;
        assert_int_equal(judgement.omissions.count, 1);
        assert_int_equal(judgement.omissions.list[0].kind, at->kind);
        assert_string_equal(judgement.omissions.list[0].text, at->text);
        assert_int_equal(judgement.verdict,
                         bug ? VERDICT_BUG : verdict_by_weight(omission_weight(at->kind)));
        hit[at->kind]++;
    }
    for (uint32_t kind = 0; kind < OMISSIONS; kind++)
        if (hit[kind] == 0)
            fail_msg("no test for the omission %s", omission_name((enum omission_kind)kind));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_judgement),
        cmocka_unit_test(every_omission),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
