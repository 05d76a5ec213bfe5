/* test_judge.c - what may be said at the end of a run: each omission with its verdict, and every sentence with its
 * numbers at 0, 1, 2 and very large.
 *
 * A session is filled in by hand as the search would leave it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/judge.h"
#include "cli/say.h"

static struct session *session;
static struct supervision supervision;

static int set_up(void **state) {
    (void)state;
    session = calloc(1, sizeof *session);
    assert_non_null(session);
    strcpy(session->options.strategy, "optimal");
    session->options.max_steps = DEFAULT_MAX_STEPS;
    session->options.preemptions = session->options.delays = session->options.divergences = -1;
    session->exhausted = session->threads_seen = true;
    session->counters.executions = 12;
    supervision = (struct supervision){.session = session, .linked = true};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(session);
    return 0;
}

static struct judgement judged(void) {
    struct judgement judgement;
    judge(&judgement, &supervision, (struct judge_findings){0}, "", "");
    return judgement;
}

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
    session->exhausted = false;
    expect(VERDICT_BUDGET, "no bug so far: --max-executions ended the search after 12 executions");
    supervision.end = END_TIMEOUT;
    expect(VERDICT_BUDGET, "no bug so far: --timeout ended the search after 12 executions");
    supervision.end = END_INTERRUPTED;
    expect(VERDICT_BUDGET, "no bug so far: an interrupt ended the search after 12 executions");
}

/* A cut hides orders from every reduction, bound or not, named by the user or not. */
static void cut_off_in_a_reduction(void **state) {
    static const char *const reductions[] = {"optimal", "source", "classic", "observers",
                                             "persistent"};
    (void)state;
    session->options.max_steps = 4;
    session->counters.cut_executions = 3;
    for (uint32_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        for (int given = 0; given < 2; given++) {
            strcpy(session->options.strategy, reductions[i]);
            session->options.max_steps_given = given;
            expect(VERDICT_BUDGET,
                   "no bug so far: 15 executions; 3 executions are longer than 4 steps and were "
                   "cut off (--max-steps), which hides other orders from this strategy");
        }
    session->options.preemptions = 2;
    session->bound_cut = true;
    strcpy(session->options.strategy, "source");
    assert_int_equal(judged().verdict, VERDICT_BUDGET);
}

/* The unreduced search has completed a bound that the user named. */
static void cut_off_in_dfs(void **state) {
    (void)state;
    strcpy(session->options.strategy, "dfs");
    session->options.max_steps = 4;
    session->counters.cut_executions = 3;
    session->options.max_steps_given = true;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 15 executions; 3 executions are longer "
                            "than 4 steps and were cut off (--max-steps)");
    session->options.max_steps_given = false;
    assert_int_equal(judged().verdict, VERDICT_BUDGET);
}

static void nothing_completed(void **state) {
    (void)state;
    strcpy(session->options.strategy, "dfs");
    session->options.max_steps_given = true;
    session->counters.executions = 0;
    session->counters.cut_executions = 3;
    assert_int_equal(judged().verdict, VERDICT_UNDECIDED);
    session->counters.cut_executions = 0;
    session->counters.dropped_executions = 2;
    expect(VERDICT_UNDECIDED,
           "not verified: no bug in all 2 executions; assumptions drop every execution");
    strcpy(session->options.strategy, "random");
    assert_int_equal(judged().verdict, VERDICT_UNDECIDED);
}

static void a_bound_that_hides(void **state) {
    (void)state;
    strcpy(session->options.strategy, "source");
    session->options.preemptions = 1;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off");
    session->bound_cut = true;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 12 executions with at most 1 preemption");
}

/* With --deepen, a limit during which executions were cut off is not completed. */
static void deepening(void **state) {
    (void)state;
    strcpy(session->options.strategy, "source");
    session->options.deepen = BOUND_DELAYS;
    session->deepening = (struct deepening){.limit = 2, .completed = 2, .begun = 5};
    session->exhausted = false;
    expect(VERDICT_BUDGET, "no bug within 1 delay (bound completed); the search within 2 was ended "
                           "by --max-executions after 7 executions");
    session->counters.cut_executions = 1;
    assert_non_null(strstr(judged().sentence, "no bug so far: "));
}

/* A sampling strategy never says "all", whatever it has come to. */
static void samples(void **state) {
    static const char *const samplers[] = {"random", "pct", "ss", "random-deepening"};
    (void)state;
    for (uint32_t i = 0; i < sizeof samplers / sizeof *samplers; i++)
        for (int exhausted = 0; exhausted < 2; exhausted++) {
            strcpy(session->options.strategy, samplers[i]);
            session->exhausted = exhausted;
            struct judgement judgement = judged();
            assert_int_equal(judgement.verdict, VERDICT_BOUNDED);
            assert_null(strstr(judgement.sentence, " all "));
        }
}

static void races(void **state) {
    (void)state;
    session->options.races = RACES_IGNORE;
    expect(VERDICT_BOUNDED, "no bug within the bound: all 12 executions; data races were ignored "
                            "(--races=ignore), and what comes of them");
    session->options.races = RACES_EXPLORE;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off; data races were "
                             "explored, not reported (--races=explore)");
    session->threads_seen = false; /* one task does not race */
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off");
}

static void inputs(void **state) {
    (void)state;
    session->random_fixed = true;
    expect(VERDICT_VERIFIED, "verified: all 12 executions, nothing cut off; random numbers came in "
                             "one sequence (--random)");
    session->narrowed = (struct ledger_entry){.call = "input", .why = "few values", .count = 1};
    assert_int_equal(judged().verdict, VERDICT_BOUNDED);
}

static void memory_that_was_not_seen(void **state) {
    (void)state;
    session->weak_orders = true;
    assert_int_equal(judged().verdict, VERDICT_VERIFIED);
    assert_int_equal(judged().omissions.count, 1);
    supervision.linked = false;
    assert_int_equal(judged().verdict, VERDICT_BOUNDED);
}

/* Nobody has asked for a bound; but where there is one, the line says so. */
static void code_that_was_not_seen(void **state) {
    (void)state;
    strcpy(supervision.unseen, "libx.so (lock xadd in push)");
    expect(VERDICT_BOUNDED, "no bug as far as seen: all 12 executions; code that was not seen: "
                            "libx.so (lock xadd in push)");
    session->options.races = RACES_IGNORE;
    expect(VERDICT_BOUNDED,
           "no bug within the bound: all 12 executions; data races were ignored (--races=ignore), "
           "and what comes of them; code that was not seen: libx.so (lock xadd in push)");
}

static void suppressed(void **state) {
    struct judgement judgement;
    (void)state;
    judge(&judgement, &supervision, (struct judge_findings){0, 1}, "", "");
    assert_int_equal(judgement.verdict, VERDICT_BOUNDED);
    assert_false(judgement.complete);
    judge(&judgement, &supervision, (struct judge_findings){1, 2}, "", "");
    assert_string_equal(judgement.sentence, "bug: 1 finding; 2 findings suppressed");
}

/* --- numbers ---------------------------------------------------------------------------------- */

static bool ends_word(char c) {
    return c == '\0' || strchr(" ,;:)", c) != NULL;
}

/* "1 states", "2 state", "all 0 states", "all 1 state": not English, or not true. */
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
        session->counters.executions = counts[rest % COUNTS];
        session->counters.cut_executions = counts[(rest /= COUNTS) % COUNTS];
        session->strata.states = counts[(rest /= COUNTS) % COUNTS];
        strcpy(session->options.strategy, names[(rest /= COUNTS) % NAMES]);
        rest /= NAMES;
        session->strata.on = i % NAMES >= 3;
        session->strata.completed = session->strata.count = rest & 1;
        session->strata.frontier_lost = session->strata.on ? counts[rest % COUNTS] : 0;
        session->options.max_steps = 1 + (rest & 1);
        session->bound_cut = rest >> 1 & 1;
        session->exhausted = rest >> 2 & 1;
        struct judgement judgement = judged();
        assert_english(judgement.sentence);
        for (uint32_t at = 0; at < judgement.omissions.count; at++)
            assert_english(judgement.omissions.list[at].text);
    }
}

static void ranges(void **state) {
    char text[RANGE_SIZE];
    (void)state;
    assert_string_equal(say_range(0, 0, 0, "execution", text), "about 1 execution");
    assert_string_equal(say_range(0.2, 0, 3, "execution", text), "about 1 execution (1 to 3)");
    assert_string_equal(say_range(2, 1, 3, "execution", text), "about 2 executions (1 to 3)");
    assert_string_equal(say_range(12345, 9000, 20000, "execution", text),
                        "about 12,000 executions (9,000 to 20,000)");
    assert_string_equal(say_range(100, 50, 1e300, "execution", text),
                        "about 100 executions (50 or more)");
    assert_string_equal(say_range(1e300, 1e300, 1e300, "execution", text),
                        "more than 10^18 executions");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(nothing_left_out),
        CASE(ended_by_a_budget),
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
        CASE(numbers),
        CASE(ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
