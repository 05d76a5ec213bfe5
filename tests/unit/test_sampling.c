/* test_sampling.c - strategies that draw executions: are the probabilities what they promise?
 *
 * Every count is compared with its expectation, five standard deviations away at most (once in 1.7
 * million, if the strategy is right); seeds are fixed, so a test that passes always does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "unit/walk.h"

enum { SAMPLES = 20000 };

static const struct script_instruction yields[200] = {[0 ... 199] = {.code = OP_YIELD}};

/* "0120": who moved, in this order. */
static void who_moved(const struct execution *execution, char *text) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        if (execution->decisions[i].tag == CHOICE_SCHEDULE)
            text[used++] = (char)('0' + execution->decisions[i].chosen);
    text[used] = '\0';
}

/* How many of so many executions go like that. */
static uint32_t count_order(const struct script *script, const struct options *options,
                            const char *strategy, const char *order) {
    struct walk walk;
    char text[64];
    uint32_t count = 0;
    walk_open(&walk, script, strategy, options);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        assert_true(explorer_execute(walk.explorer));
        who_moved(walk.session->current, text);
        count += strcmp(text, order) == 0;
    }
    assert_false(walk.session->exhausted);
    walk_close(&walk);
    return count;
}

static double deviation(double probability) {
    return sqrt(SAMPLES * probability * (1 - probability));
}

static void assert_at_least(uint32_t count, double probability) {
    assert_true(count >= SAMPLES * probability - 5 * deviation(probability));
}

static void assert_about(uint32_t count, double probability) {
    assert_at_least(count, probability);
    assert_true(count <= SAMPLES * probability + 5 * deviation(probability));
}

/* --- pct ------------------------------------------------------------------------------------ */

/* Two tasks that take turns: 0, 1, 0, 1 is a matter of the first priority and of d - 1 changes, each at
 * the right one of k steps. So with n = 2 tasks the chance is 1 / (2 k^(d-1)), exactly: with less than d
 * there is none, with more there is another way. */
static void pct_keeps_its_promise(void **state) {
    static const char *const orders[] = {"0011", "0110", "0101"};
    const struct script script = {
        .tasks = {{yields, 2}, {yields, 2}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    (void)state;
    options.pct_steps = 4;
    for (uint32_t depth = 1; depth <= 3; depth++) {
        options.pct_depth = depth;
        uint32_t count = count_order(&script, &options, "pct", orders[depth - 1]);
        assert_at_least(count, 1 / (2 * pow(4, depth - 1)));
        for (uint32_t deeper = depth; deeper < 3; deeper++)
            assert_int_equal(count_order(&script, &options, "pct", orders[deeper]), 0);
    }
}

/* A task that comes later draws from the same priorities. 0 creates 1, then 2, and has one step more: of
 * the 3! orders of their priorities four show by who moves when; 1 > 2 > 0 and 2 > 1 > 0 look alike. */
static void pct_new_tasks_get_any_priority(void **state) {
    static const char *const orders[] = {"00012", "00021", "01002", "00201", "01020"};
    static const struct script_instruction parent[] = {
        {.code = OP_CREATE, .object = 1}, {.code = OP_CREATE, .object = 2}, {.code = OP_YIELD}};
    const struct script script = {
        .tasks = {{parent, 3}, {yields, 1}, {yields, 1}}, .task_count = 3, .started = 1};
    struct options options = search_options();
    (void)state;
    options.pct_depth = 1;
    for (uint32_t i = 0; i < 5; i++)
        assert_about(count_order(&script, &options, "pct", orders[i]), i < 4 ? 1.0 / 6 : 1.0 / 3);
}

/* Nobody chooses among values by priority. */
static void pct_draws_values_evenly(void **state) {
    static const struct script_instruction code[] = {{.code = OP_CHOOSE, .value = 3}};
    const struct script script = {.tasks = {{code, 1}}, .task_count = 1, .started = 1};
    const struct options options = search_options();
    uint32_t drawn[3] = {0};
    struct walk walk;
    (void)state;
    walk_open(&walk, &script, "pct", &options);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        explorer_execute(walk.explorer);
        const struct decision *last = &walk.session->current->decisions[1];
        assert_int_equal(last->tag, CHOICE_VALUE);
        drawn[last->chosen]++;
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_about(drawn[i], 1.0 / 3);
    walk_close(&walk);
}

/* --- random-deepening ------------------------------------------------------------------------- */

/* Executions of 150 steps: the 100 + 3 of the first stratum end after 100, the 100 + 9 of the second are
 * complete. A cut by --max-steps is none of this. */
static void random_deepening_goes_by_strata(void **state) {
    const struct script script = {
        .tasks = {{yields, 100}, {yields, 50}}, .task_count = 2, .started = 3};
    struct options options = search_options();
    struct walk walk;
    (void)state;
    walk_open(&walk, &script, "random-deepening", &options);
    for (uint32_t i = 0; i < 103 + 109; i++) {
        assert_true(explorer_execute(walk.explorer));
        assert_int_equal(walk.session->current->decision_count, i < 103 ? 100 : 150);
    }
    assert_int_equal(walk.session->counters.deep_executions, 103);
    assert_int_equal(walk.session->counters.executions, 109);
    assert_int_equal(walk.session->counters.cut_executions, 0);
    assert_false(walk.session->exhausted);
    walk_close(&walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pct_keeps_its_promise),
        cmocka_unit_test(pct_new_tasks_get_any_priority),
        cmocka_unit_test(pct_draws_values_evenly),
        cmocka_unit_test(random_deepening_goes_by_strata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
