/* test_estimate.c - estimates of the size of a search: the share that is done, and Knuth's
 * samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "unit/walk.h"

enum { CODE_MAX = 4 };

/* Infinity if it is too large. */
static double as_double(struct large a) {
    for (; a.power > 0 && a.mantissa < (double)INFINITY; a.power--)
        a.mantissa *= 18446744073709551616.0; /* 2^64 */
    return a.mantissa;
}

static struct estimate_left walk_left(const struct walk *walk) {
    struct estimate_left left;
    assert_true(estimate_read(&walk->session->result.scale.estimate, walk_begun(walk), &left));
    return left;
}

/* Tasks with the given numbers of operations. All operations are independent. */
static struct script independent(const uint32_t *lengths, uint32_t count) {
    static const struct script_instruction code[CODE_MAX] = {
        {.code = OP_YIELD}, {.code = OP_YIELD}, {.code = OP_YIELD}, {.code = OP_YIELD}};
    struct script script = {.task_count = count, .started = (1u << count) - 1};
    for (uint32_t i = 0; i < count; i++)
        script.tasks[i] = (struct script_task){code, lengths[i]};
    return script;
}

/* A task that calls choose(count) `length` times: every node of the tree has `count` children. */
static struct script chooser(struct script_instruction *code, uint32_t length, int32_t count) {
    for (uint32_t i = 0; i < length; i++)
        code[i] = (struct script_instruction){.code = OP_CHOOSE, .value = count};
    return (struct script){.tasks = {{code, length}}, .task_count = 1, .started = 1};
}

/* --- the share that is done ------------------------------------------------------------------ */

/* Tasks of 3, 2 and 1 operations have 6!/(3!2!1!) = 60 orders, few enough for an estimate after
 * each. */
static void the_share_grows_to_one(void **state) {
    static const uint32_t lengths[] = {3, 2, 1};
    const struct script script = independent(lengths, 3);
    const struct options options = search_options();
    (void)state;
    struct walk walk;
    double before = 0;
    walk_open(&walk, &script, "dfs", &options);
    while (explorer_execute(walk.explorer)) {
        double share = (double)walk_begun(&walk) / walk_left(&walk).total;
        assert_true(share > before && share <= 1);
        before = share;
    }
    assert_true(walk.session->result.search.exhausted);
    assert_true(before == 1);
    assert_int_equal(walk_begun(&walk), 60);
    walk_close(&walk);
}

/* Every estimate of this search must be exact, from the first one on. */
static void assert_exact(const struct script *script, const char *strategy, uint64_t size) {
    const struct options options = search_options();
    struct walk walk;
    walk_open(&walk, script, strategy, &options);
    while (explorer_execute(walk.explorer)) {
        struct estimate_left left = walk_left(&walk);
        double expected = (double)(size - walk_begun(&walk));
        assert_float_equal(left.left, expected, 1e-6);
        assert_float_equal(left.low, expected, 1e-6);
        assert_float_equal(left.high, expected, 1e-6);
    }
    assert_int_equal(walk_begun(&walk), size);
    walk_close(&walk);
}

static void exact_for_a_uniform_tree(void **state) {
    static const uint32_t ones[] = {1, 1, 1, 1, 1};
    struct script_instruction code[5];
    struct script script = chooser(code, 5, 3);
    (void)state;
    assert_exact(&script, "dfs", 243); /* 3^5 */
    script = independent(ones, 5);
    assert_exact(&script, "dfs", 120); /* 5! */
}

/* Only executions within the bound are in the tree: without preemptions there are the 3! = 6 orders
 * of the tasks. */
static void a_bound_is_known(void **state) {
    static const uint32_t lengths[] = {2, 2, 2};
    static const struct script_instruction code[] = {{.code = OP_STORE}, {.code = OP_STORE}};
    struct script script = independent(lengths, 3);
    struct options options = search_options();
    struct walk walk;
    (void)state;
    options.preemptions = 0;
    for (uint32_t i = 0; i < 3; i++)
        script.tasks[i].code = code; /* a yield would be no preemption */
    walk_open(&walk, &script, "dfs", &options);
    explorer_execute(walk.explorer);
    assert_float_equal(walk_left(&walk).total, 6, 1e-9);
    while (explorer_execute(walk.explorer))
        ;
    assert_int_equal(walk_begun(&walk), 6);
    assert_float_equal(walk_left(&walk).left, 0, 1e-9);
    walk_close(&walk);
}

/* The estimate leaves out what DPOR has not planned yet, so it is too low at first, and exact at
 * the end. 4 stores of different values to one variable have 4! = 24 orders. */
static void reductions_learn_the_rest(void **state) {
    static const char *const names[] = {"classic", "source", "optimal"};
    static const struct script_instruction code[] = {
        {.code = OP_STORE, .value = 1},
        {.code = OP_STORE, .value = 2},
        {.code = OP_STORE, .value = 3},
        {.code = OP_STORE, .value = 4},
    };
    struct script script = {.task_count = 4, .started = 15};
    const struct options options = search_options();
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        script.tasks[i] = (struct script_task){&code[i], 1};
    for (uint32_t i = 0; i < 3; i++) {
        struct walk walk;
        walk_open(&walk, &script, names[i], &options);
        while (explorer_execute(walk.explorer)) {
            struct estimate_left left = walk_left(&walk);
            assert_true(left.low <= left.left && left.left <= left.high);
            assert_true(left.low >= 0 && left.total <= 24 + 1e-9);
        }
        assert_int_equal(walk_begun(&walk), 24);
        assert_float_equal(walk_left(&walk).left, 0, 1e-9);
        walk_close(&walk);
    }
}

static void random_knows_no_share(void **state) {
    struct script_instruction code[2];
    const struct script script = chooser(code, 2, 2);
    struct options options = search_options();
    struct estimate_left left;
    struct walk walk;
    (void)state;
    options.max_executions = 10;
    walk_open(&walk, &script, "random", &options);
    while (explorer_execute(walk.explorer))
        ;
    assert_false(estimate_read(&walk.session->result.scale.estimate, 10, &left));
    walk_close(&walk);
}

/* The tested program can write over the session, so estimate_read() must cope with any values. */
static void garbage_can_be_read(void **state) {
    static const double values[] = {__builtin_nan(""), __builtin_inf(), -1, -__builtin_inf(),
                                    1e-300};
    (void)state;
    for (uint32_t i = 0; i < 25; i++) {
        struct estimate estimate = {.total = values[i / 5], .kept = {5, values[i % 5]}};
        struct estimate_left left;
        if (!estimate_read(&estimate, 10, &left))
            continue;
        assert_true(left.total >= 10 && left.total <= ESTIMATE_MAX);
        assert_true(left.low >= 0 && left.low <= left.left && left.left <= left.high);
    }
}

/* --- samples --------------------------------------------------------------------------------- */

static struct samples sample(const struct script *script, uint64_t count, uint64_t seed) {
    struct options options = search_options();
    struct walk walk;
    options.sample = true;
    options.seed = seed;
    options.max_executions = count;
    walk_open(&walk, script, "random", &options);
    while (explorer_execute(walk.explorer))
        ;
    struct samples samples = walk.session->result.scale.samples;
    walk_close(&walk);
    assert_int_equal(samples.count, count);
    return samples;
}

/* There are 7!/(3!2!2!) = 210 and 8!/(4!3!1!) = 280 orders. A mean differs by more than five
 * standard errors only once in two million. The seeds are fixed. */
static void the_mean_is_the_number_of_leaves(void **state) {
    static const uint32_t lengths[][3] = {{3, 2, 2}, {4, 3, 1}};
    static const double sizes[] = {210, 280};
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        const struct script script = independent(lengths[i % 2], 3);
        const struct samples samples = sample(&script, 1000, i);
        double distance = as_double(samples_mean(&samples)) - sizes[i % 2];
        double variance = as_double(samples_variance(&samples));
        assert_true(variance > 0);
        assert_true(distance * distance < 25 * variance);
    }
}

/* 1000 options, 400 times: 1000^400 = 10^1200 leaves, more than a double can hold. The unit of
 * `power` is 2^64, and 2^(64 * 62) is about 10^1194.5. */
static void too_large_for_a_double(void **state) {
    static struct script_instruction code[400];
    const struct script script = chooser(code, 400, 1000);
    const struct samples samples = sample(&script, 10, 1);
    struct large mean = samples_mean(&samples), thousand = large_of(1);
    struct options options = search_options();
    struct walk walk;
    (void)state;
    for (uint32_t i = 0; i < 400; i++)
        thousand = large_times(thousand, large_of(1000));
    assert_int_equal(mean.power, 62);
    assert_int_equal(thousand.power, 62);
    assert_float_equal(mean.mantissa / thousand.mantissa, 1, 1e-9);
    assert_true(as_double(mean) > ESTIMATE_MAX);
    options.max_executions = 2;
    walk_open(&walk, &script, "dfs", &options);
    while (explorer_execute(walk.explorer))
        ;
    assert_true(walk_left(&walk).left == ESTIMATE_MAX);
    walk_close(&walk);
}

static void large_numbers_add_up(void **state) {
    struct large million = large_of(1e6), huge = large_of(1);
    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        huge = large_times(huge, million);
    assert_float_equal(as_double(large_plus(million, large_of(5))), 1000005, 0);
    assert_float_equal(as_double(large_minus(million, large_of(5))), 999995, 0);
    assert_float_equal(as_double(large_minus(large_of(5), million)), 0, 0);
    assert_float_equal(as_double(large_of(1e30)) / 1e30, 1, 1e-12);
    struct large twice = large_plus(huge, huge);
    assert_float_equal(as_double(large_minus(large_minus(twice, huge), huge)), 0, 0);
    assert_int_equal(large_plus(huge, million).power, huge.power);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_grows_to_one),
        cmocka_unit_test(exact_for_a_uniform_tree),
        cmocka_unit_test(a_bound_is_known),
        cmocka_unit_test(reductions_learn_the_rest),
        cmocka_unit_test(random_knows_no_share),
        cmocka_unit_test(garbage_can_be_read),
        cmocka_unit_test(the_mean_is_the_number_of_leaves),
        cmocka_unit_test(too_large_for_a_double),
        cmocka_unit_test(large_numbers_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
