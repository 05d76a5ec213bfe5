/* test_leaving.c - when the default search leaves a strategy: each rule at its limit, and one
 * below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/leaving.h"
#include "judged.h"

static enum leaving due(void) {
    return leaving_due(&options, &result);
}

static int begin(void **state) {
    judged_begin(state);
    options.leaves = true;
    return 0;
}

static void several_cut_executions(void **state) {
    (void)state;
    result.counters.cut_executions = 3;
    assert_int_equal(due(), LEAVES_NOT);
    result.counters.cut_executions = 4;
    assert_int_equal(due(), LEAVES_FOR_LOOPS);
    options.leaves = false; /* --strategy=optimal */
    assert_int_equal(due(), LEAVES_NOT);
}

static void longer_and_longer(void **state) {
    (void)state;
    result.counters.executions = 1000;
    result.scale.rounds = (struct rounds){.first_steps = 500, .steps = 2000, .task_count = 1};
    assert_int_equal(due(), LEAVES_FOR_LOOPS);
    result.counters.executions = 999;
    assert_int_equal(due(), LEAVES_NOT);
    result.counters.executions = 1000;
    result.scale.rounds.first_steps = 501; /* less than four times as long */
    assert_int_equal(due(), LEAVES_NOT);
    result.scale.rounds = (struct rounds){.first_steps = 10, .steps = 1999, .task_count = 1};
    assert_int_equal(due(), LEAVES_NOT);
    result.scale.rounds = (struct rounds){.first_steps = 10, .steps = 2000}; /* none goes round */
    assert_int_equal(due(), LEAVES_NOT);
}

/* With --timeout, the first stage has only a part of the time to show that executions grow. */
static void longer_within_the_time(void **state) {
    (void)state;
    result.scale.rounds = (struct rounds){.first_steps = 250, .steps = 1000, .task_count = 1};
    assert_true(leaving_grows_in_time(&result));
    assert_false(leaving_grows(&result));
    result.scale.rounds.steps = 999;
    assert_false(leaving_grows_in_time(&result));
    result.scale.rounds = (struct rounds){.first_steps = 251, .steps = 1000, .task_count = 1};
    assert_false(leaving_grows_in_time(&result));
}

/* The second stage goes by states: only cut executions count. */
static void states_that_do_not_come_back(void **state) {
    (void)state;
    options.stage = 1;
    result.counters.executions = 100000;
    result.scale.rounds = (struct rounds){.first_steps = 500, .steps = 2000, .task_count = 1};
    result.scale.estimate.total = 1e9;
    assert_int_equal(due(), LEAVES_NOT);
    result.counters.cut_executions = 4;
    assert_int_equal(due(), LEAVES_FOR_LOOPS);
}

static void far_too_large(void **state) {
    (void)state;
    result.counters.executions = 100000;
    result.scale.estimate.total = 1e9;
    assert_int_equal(due(), LEAVES_FOR_SIZE);
    options.max_executions = 1000000;
    assert_int_equal(due(), LEAVES_NOT);
    options.max_executions = 0;
    options.timeout_ms = 1000; /* then the supervisor decides */
    assert_int_equal(due(), LEAVES_NOT);
    options.timeout_ms = 0;
    result.counters.executions = 99999;
    assert_int_equal(due(), LEAVES_NOT);
}

static void all_steps_used(void **state) {
    (void)state;
    options.leaves = false;
    options.steps_max = 50;
    result.counters.steps = 49;
    assert_int_equal(due(), LEAVES_NOT);
    result.counters.steps = 50;
    assert_int_equal(due(), LEAVES_FOR_STEPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(several_cut_executions, begin),
        cmocka_unit_test_setup(longer_and_longer, begin),
        cmocka_unit_test_setup(longer_within_the_time, begin),
        cmocka_unit_test_setup(states_that_do_not_come_back, begin),
        cmocka_unit_test_setup(far_too_large, begin),
        cmocka_unit_test_setup(all_steps_used, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
