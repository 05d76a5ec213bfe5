/* test_judge.c - the verdict at the end of a run: each omission with its verdict, and every
 * sentence with its numbers at 0, 1, 2 and very large.
 *
 * Each test fills in options and a result by hand, as the search and the supervisor would leave
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judged.h"

static void expect(enum verdict verdict, const char *sentence) {
    struct judgement judgement = judged();
    assert_string_equal(judgement.sentence, sentence);
    assert_int_equal(judgement.verdict, verdict);
    assert_int_equal(judgement.complete, verdict_info(verdict)->exit_code == 0);
}

/* --- one omission at a time ------------------------------------------------------------------- */

static void nothing_left_out(void **state) {
    (void)state;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off");
    assert_int_equal(judged().omissions.count, 0);
}

static void ended_by_a_budget(void **state) {
    (void)state;
    result.search.exhausted = false;
    expect(VERDICT_BUDGET, "no bug so far: --max-executions ended the search after 12 executions");
    result.search.stopped = STOPPED_BY_TIMEOUT;
    expect(VERDICT_BUDGET, "no bug so far: --timeout ended the search after 12 executions");
    result.search.stopped = STOPPED_BY_INTERRUPT;
    expect(VERDICT_BUDGET, "no bug so far: an interrupt ended the search after 12 executions");
}

/* A stage of a run without --strategy ends early so that the next one can go on
 * (engine/leaving.h). */
static void left_for_another_strategy(void **state) {
    (void)state;
    result.search.exhausted = false;
    result.search.leaving = LEAVES_FOR_LOOPS;
    expect(VERDICT_BUDGET,
           "no bug so far: the change of strategy ended the search after 12 executions");
    result.search.leaving = LEAVES_FOR_STEPS;
    expect(VERDICT_BUDGET,
           "no bug so far: the bound on steps of a stage ended the search after 12 executions");
}

/* The stage before it has decided nothing, and the strategy of this one was not named by the
 * user. */
static void verified_by_a_later_stage(void **state) {
    (void)state;
    options.stage = 1;
    expect(VERDICT_VERIFIED, "verified by optimal: all 12 executions, nothing cut off");
}

/* An execution that was cut off hides orders from every reduction. It does not matter whether there
 * is a bound, or whether the user named the limit. */
static void cut_off_in_a_reduction(void **state) {
    static const char *const reductions[] = {"optimal", "source", "classic", "observers",
                                             "persistent"};
    (void)state;
    options.max_steps = 4;
    result.counters.cut_executions = 3;
    for (uint32_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        for (int given = 0; given < 2; given++) {
            strcpy(options.strategy, reductions[i]);
            options.max_steps_given = given;
            expect(VERDICT_BUDGET,
                   "no bug so far: 15 executions; 3 executions are longer than 4 steps and were "
                   "cut off (--max-steps), which hides other orders from this strategy");
        }
    options.preemptions = 2;
    result.search.bound_cut = true;
    strcpy(options.strategy, "source");
    assert_int_equal(judged().verdict, VERDICT_BUDGET);
}

/* If the user named the limit of steps, the unreduced search has completed this bound. */
static void cut_off_in_dfs(void **state) {
    (void)state;
    strcpy(options.strategy, "dfs");
    options.max_steps = 4;
    result.counters.cut_executions = 3;
    options.max_steps_given = true;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 15 executions; 3 executions are longer "
                            "than 4 steps and were cut off (--max-steps)");
    options.max_steps_given = false;
    assert_int_equal(judged().verdict, VERDICT_BUDGET);
}

static void nothing_completed(void **state) {
    (void)state;
    strcpy(options.strategy, "dfs");
    options.max_steps_given = true;
    result.counters.executions = 0;
    result.counters.cut_executions = 3;
    assert_int_equal(judged().verdict, VERDICT_UNDECIDED);
    result.counters.cut_executions = 0;
    result.counters.dropped_executions = 2;
    expect(VERDICT_UNDECIDED,
           "not verified: no bug in all 2 executions; assumptions drop every execution");
    strcpy(options.strategy, "random");
    assert_int_equal(judged().verdict, VERDICT_UNDECIDED);
}

static void a_bound_that_hides(void **state) {
    (void)state;
    strcpy(options.strategy, "source");
    options.preemptions = 1;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off");
    result.search.bound_cut = true;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 12 executions with at most 1 preemption");
}

/* With --deepen, a limit is not completed if executions were cut off during its search. */
static void deepening(void **state) {
    (void)state;
    strcpy(options.strategy, "source");
    options.deepen = BOUND_DELAYS;
    result.reached.deepening = (struct deepening){.limit = 2, .completed = 2, .begun = 5};
    result.search.exhausted = false;
    expect(VERDICT_BUDGET, "no bug within 1 delay (bound completed); the search within 2 was ended "
                           "by --max-executions after 7 executions");
    result.counters.cut_executions = 1;
    assert_non_null(strstr(judged().sentence, "no bug so far: "));
}

/* A sampling strategy never says "all", even if it has explored everything. */
static void samples(void **state) {
    static const char *const samplers[] = {"random", "pct", "ss", "random-deepening"};
    (void)state;
    for (uint32_t i = 0; i < sizeof samplers / sizeof *samplers; i++)
        for (int exhausted = 0; exhausted < 2; exhausted++) {
            strcpy(options.strategy, samplers[i]);
            result.search.exhausted = exhausted;
            struct judgement judgement = judged();
            assert_int_equal(judgement.verdict, VERDICT_BOUNDED);
            assert_null(strstr(judgement.sentence, " all "));
        }
}

static void races(void **state) {
    (void)state;
    options.races = RACES_IGNORE;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 12 executions; data races were ignored "
                            "(--races=ignore), and their consequences");
    options.races = RACES_EXPLORE;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off; data races were "
                             "explored, not reported (--races=explore)");
    result.observed.threads = false; /* a single task cannot race */
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off");
}

static void inputs(void **state) {
    (void)state;
    result.observed.random_fixed = true;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off; random numbers came in "
                             "one sequence (--random)");
    result.ledger.narrowed =
        (struct ledger_entry){.call = "input", .why = "few values", .count = 1};
    assert_int_equal(judged().verdict, VERDICT_BOUNDED);
}

static void memory_that_was_not_seen(void **state) {
    (void)state;
    result.observed.weak_orders = true;
    assert_int_equal(judged().verdict, VERDICT_VERIFIED);
    assert_int_equal(judged().omissions.count, 1);
    result.unseen.accesses = true;
    assert_int_equal(judged().verdict, VERDICT_BOUNDED);
}

/* Unseen code is not a bound that the user asked for, so the sentence says "as far as seen". If
 * there is a bound too, the sentence says so. */
static void code_that_was_not_seen(void **state) {
    (void)state;
    strcpy(result.unseen.code, "libx.so (lock xadd in push)");
    expect(VERDICT_BOUNDED, "no bug as far as seen: all 12 executions; code that was not seen: "
                            "libx.so (lock xadd in push)");
    options.races = RACES_IGNORE;
    expect(VERDICT_BOUNDED,
           "no bug within the bound: all 12 executions; data races were ignored (--races=ignore), "
           "and their consequences; code that was not seen: libx.so (lock xadd in push)");
}

static void suppressed(void **state) {
    (void)state;
    result.found.suppressed = 1;
    assert_int_equal(judged().verdict, VERDICT_BOUNDED);
    assert_false(judged().complete);
    result.found = (struct found){.reported = 1, .suppressed = 2};
    assert_string_equal(judged().sentence, "bug: 1 finding; 2 findings suppressed");
}

/* A bug stays a bug if the search fails afterwards. With --keep-going the search may have gone
 * through all the same. */
static void a_bug_and_then(void **state) {
    (void)state;
    result.found.reported = 2;
    assert_int_equal(judged().row, JUDGED_BUG);
    assert_true(judged().complete);
    result.search.bound_cut = true;
    assert_false(judged().complete);
    strcpy(result.failure.text, "out of memory");
    result.failure.verdict = VERDICT_UNSUPPORTED;
    strcpy(result.failure.place, "a.c:3 in f");
    assert_string_equal(judged().sentence,
                        "bug: 2 findings; then the search ended: out of memory at a.c:3 in f");
}

/* A run that has failed says nothing about what it has left out. */
static void a_failure_has_no_omissions(void **state) {
    (void)state;
    result.search.exhausted = false;
    assert_int_equal(judged().omissions.count, 1);
    strcpy(result.difference.text, "task 1 moved");
    assert_int_equal(judged().omissions.count, 0);
    assert_false(judged().complete);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static bool ends_word(char c) {
    return c == '\0' || strchr(" ,;:)", c) != NULL;
}

/* Fails for "1 states", "2 state", "all 0 states" and "all 1 state": they are not English, or not
 * true. */
static void assert_english(const char *sentence) {
    static const char *const nouns[] = {"execution", "state", "step", "finding", "task"};
    assert_null(strstr(sentence, "all 0 "));
    assert_null(strstr(sentence, "all 1 "));
    for (uint32_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        for (const char *at = sentence; (at = strstr(at, nouns[i])) != NULL; at++) {
            const char *end = at + strlen(nouns[i]);
            bool plural = *end == 's';
            bool digit = at >= sentence + 2 && at[-1] == ' ' && at[-2] >= '0' && at[-2] <= '9';
            bool one = digit && at[-2] == '1' && (at == sentence + 2 || at[-3] == ' ');
            if (digit && ends_word(end[plural]) && plural == one)
                fail_msg("%s", sentence);
        }
}

static void numbers(void **state) {
    static const uint64_t counts[] = {0, 1, 2, 1000, (uint64_t)1 << 62};
    static const char *const names[] = {"optimal", "dfs", "random", "ses", "preemption-bounding"};
    enum { COUNTS = sizeof counts / sizeof *counts, NAMES = sizeof names / sizeof *names };
    (void)state;
    for (uint32_t i = 0; i < COUNTS * COUNTS * COUNTS * NAMES * 8; i++) {
        uint32_t rest = i;
        result.counters.executions = counts[rest % COUNTS];
        result.counters.cut_executions = counts[(rest /= COUNTS) % COUNTS];
        result.reached.strata.states = counts[(rest /= COUNTS) % COUNTS];
        strcpy(options.strategy, names[(rest /= COUNTS) % NAMES]);
        rest /= NAMES;
        result.reached.strata.on = i % NAMES >= 3;
        result.reached.strata.completed = result.reached.strata.count = rest & 1;
        result.reached.strata.frontier_lost = result.reached.strata.on ? counts[rest % COUNTS] : 0;
        options.max_steps = 1 + (rest & 1);
        result.search.bound_cut = rest >> 1 & 1;
        result.search.exhausted = rest >> 2 & 1;
        struct judgement judgement = judged();
        assert_english(judgement.sentence);
        for (uint32_t at = 0; at < judgement.omissions.count; at++)
            assert_english(judgement.omissions.list[at].text);
    }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup(name, judged_begin)
    const struct CMUnitTest tests[] = {
        CASE(nothing_left_out),
        CASE(ended_by_a_budget),
        CASE(left_for_another_strategy),
        CASE(verified_by_a_later_stage),
        CASE(cut_off_in_dfs),
        CASE(cut_off_in_a_reduction),
        CASE(nothing_completed),
        CASE(a_bound_that_hides),
        CASE(deepening),
        CASE(samples),
        CASE(races),
        CASE(inputs),
        CASE(suppressed),
        CASE(memory_that_was_not_seen),
        CASE(code_that_was_not_seen),
        CASE(a_bug_and_then),
        CASE(a_failure_has_no_omissions),
        CASE(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
