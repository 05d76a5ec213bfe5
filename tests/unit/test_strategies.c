/* test_strategies.c - dfs, compared with derived counts; random; replay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "strategies/strategies.h"
#include "unit/harness.h"
#include "unit/random_script.h"

/* --- dfs ------------------------------------------------------------------------------------ */

static uint64_t factorial(uint32_t n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

static uint64_t multinomial(const uint32_t *parts, uint32_t count) {
    uint32_t sum = 0;
    uint64_t product = 1;
    for (uint32_t i = 0; i < count; i++) {
        sum += parts[i];
        product *= factorial(parts[i]);
    }
    return factorial(sum) / product;
}

/* The edges of the tree of interleavings are as many as its nodes except the root. A node is a way
 * to a vector of positions. So the sum over all vectors but 0 of the number of ways to each vector
 * is the number of edges. */
static uint64_t tree_edges(const uint32_t *lengths, uint32_t count) {
    uint32_t at[SCRIPT_TASKS] = {0};
    uint64_t edges = 0;
    for (;;) {
        uint32_t i = 0;
        while (i < count && at[i] == lengths[i])
            at[i++] = 0;
        if (i == count)
            return edges;
        at[i]++;
        edges += multinomial(at, count);
    }
}

/* Tasks of l_1, ..., l_k operations that never block have (l_1 + ... + l_k)! / (l_1! ... l_k!)
 * orders. */
static void dfs_counts_are_multinomials(void **state) {
    static const struct script_instruction code[] = {
        {.code = OP_YIELD}, {.code = OP_YIELD}, {.code = OP_YIELD}, {.code = OP_YIELD}};
    static const uint32_t lengths[][4] = {{1},       {3, 3},       {4, 2},
                                          {2, 2, 2}, {1, 1, 1, 1}, {3, 2, 1, 1}};
    (void)state;
    for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct script script = {0};
        while (script.task_count < 4 && lengths[i][script.task_count] > 0) {
            script.tasks[script.task_count] =
                (struct script_task){code, lengths[i][script.task_count]};
            script.task_count++;
        }
        script.started = (1u << script.task_count) - 1;
        struct options options = search_options();
        struct search search;
        search_script(&script, "dfs", &options, &search);
        assert_true(search.exhausted);
        assert_int_equal(search.counters.executions, multinomial(lengths[i], script.task_count));
        if (script.task_count > 1)
            assert_int_equal(search.counters.transitions,
                             tree_edges(lengths[i], script.task_count));
        search_free(&search);
    }
}

/* choose(3), then choose(2): 3 * 2 = 6 executions. */
static void dfs_tries_all_values(void **state) {
    static const struct script_instruction code[] = {{.code = OP_CHOOSE, .value = 3},
                                                     {.code = OP_CHOOSE, .value = 2}};
    struct script script = {.tasks = {{code, 2}}, .task_count = 1, .started = 1};
    struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "dfs", &options, &search);
    assert_int_equal(search.counters.executions, 6);
    assert_int_equal(search.finals.count, 6);
    search_free(&search);
}

/* A choice without a system, for strategies that only look at counts and tasks. */
struct made_choice {
    struct choice choice;
    struct op ops[4];
    struct pending pending[4];
};

static const struct choice *make_choice(struct made_choice *made, uint32_t first, uint32_t count) {
    memset(made, 0, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->ops[i] = (struct op){.kind = OP_STORE, .size = 8, .object = 64};
        made->pending[i] = (struct pending){.task = first + i, .op = &made->ops[i]};
    }
    made->choice = (struct choice){.tag = CHOICE_SCHEDULE,
                                   .count = count,
                                   .task = NO_TASK,
                                   .live = count,
                                   .pending = made->pending};
    return &made->choice;
}

static struct strategy *create(const struct strategy_info *info, struct pool *pool,
                               const struct options *options) {
    static const struct strategy_inputs inputs;
    return info->create(
        &(struct strategy_context){.pool = pool, .options = options, .inputs = &inputs});
}

/* Returns the prefix of the execution that begins. */
static uint32_t begin(struct strategy *strategy) {
    struct plan plan = {0};
    assert_true(strategy->ops->begin(strategy, &plan));
    return plan.prefix;
}

static uint32_t pick(struct strategy *strategy, const struct choice *choice) {
    struct keep keep = {0};
    return strategy->ops->pick(strategy, choice, &keep);
}

/* Returns whether the execution that ends was the one that was to be repeated. */
static bool end(struct strategy *strategy) {
    struct report report = {.delays = -1};
    strategy_end(strategy, OUTCOME_ENDED, NULL, &report);
    return !report.diverged;
}

/* While a strategy repeats the prefix, it must report a divergence if the number of options or a
 * task differs, or if the execution ends too early. */
static void other_options_are_a_divergence(void **state) {
    static const char *const names[] = {"dfs", "persistent"};
    struct options options = search_options();
    struct made_choice made;
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct pool *pool = pool_open();
        struct strategy *strategy = create(strategy_named(names[i % 2]), pool, &options);
        /* persistent learns from the first execution, and begins again */
        for (uint32_t first = 0; first < 1 + i % 2; first++) {
            begin(strategy);
            assert_int_equal(pick(strategy, make_choice(&made, 0, 2)), 0);
            assert_int_equal(pick(strategy, make_choice(&made, 0, 2)), 0);
            assert_true(end(strategy));
        }
        assert_int_equal(begin(strategy), 1);
        if (i < 2)
            assert_int_equal(pick(strategy, make_choice(&made, 0, 3)), PICK_DIVERGED);
        else if (i < 4)
            assert_int_equal(pick(strategy, make_choice(&made, 1, 2)), PICK_DIVERGED);
        else
            assert_false(end(strategy));
        pool_close(pool);
    }
}

/* --- random --------------------------------------------------------------------------------- */

static void random_executions_are_reproducible(void **state) {
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct made_choice made;
    options.seed = 17;
    struct strategy *a = create(&random_strategy, pool, &options);
    struct strategy *b = create(&random_strategy, pool, &options);
    uint32_t different = 0, last = 0;
    (void)state;
    for (uint32_t execution = 0; execution < 50; execution++) {
        uint32_t same = 0;
        begin(a);
        begin(b);
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t picked = pick(a, make_choice(&made, 0, 4));
            assert_int_equal(picked, pick(b, make_choice(&made, 0, 4)));
            same = same * 4 + picked;
        }
        /* more draws in one execution must not influence the next execution */
        for (uint32_t i = 0; i < execution; i++)
            pick(a, make_choice(&made, 0, 3));
        different += same != last;
        last = same;
    }
    assert_true(different > 45);
    pool_close(pool);
}

/* 40,000 draws from 4 options: 10,000 are expected for each. The standard deviation is sqrt(40,000
 * * 1/4 * 3/4) = 87, and five of them are 433. */
static void random_is_uniform(void **state) {
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct strategy *strategy = create(&random_strategy, pool, &options);
    uint32_t drawn[4] = {0};
    struct made_choice made;
    (void)state;
    for (uint32_t execution = 0; execution < 10000; execution++) {
        begin(strategy);
        for (uint32_t i = 0; i < 4; i++)
            drawn[pick(strategy, make_choice(&made, 0, 4))]++;
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_in_range(drawn[i], 10000 - 433, 10000 + 433);
    pool_close(pool);
}

/* Memory must not grow with the number of executions, under every strategy. */
static void memory_stays(void **state) {
    static const char *const names[] = {"random", "random-deepening", "pct",
                                        "dfs",    "persistent",       "classic",
                                        "source", "optimal",          "observers"};
    struct random random;
    struct random_script program;
    (void)state;
    random_seed(&random, 5);
    random_script(&program, &random, FLAVOUR_RACES, 4, 6);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct options options = search_options();
        struct search few, many;
        options.races = RACES_REPORT;
        options.max_executions = 300;
        search_script(&program.script, names[i], &options, &few);
        options.max_executions = 10000;
        search_script(&program.script, names[i], &options, &many);
        /* the findings are kept, so the sizes may differ by their number */
        assert_true(many.pool_used < few.pool_used + (1 << 20));
        search_free(&few);
        search_free(&many);
    }
}

/* --- replay --------------------------------------------------------------------------------- */

static void replay_follows_decisions(void **state) {
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct execution execution;
    struct made_choice made;
    (void)state;
    execution_init(&execution, pool);
    execution_decide(&execution,
                     (struct decision){.chosen = 7, .count = 2, .tag = CHOICE_SCHEDULE});
    execution_decide(&execution, (struct decision){.chosen = 2, .count = 3, .tag = CHOICE_VALUE});
    options.replay = &execution;
    struct strategy *strategy = create(&replay_strategy, pool, &options);
    struct choice value = {.tag = CHOICE_VALUE, .count = 3};
    for (uint32_t i = 0; i < 2; i++) { /* each begin starts again */
        begin(strategy);
        assert_int_equal(pick(strategy, make_choice(&made, 6, 2)), 1);
        assert_int_equal(pick(strategy, &value), 2);
        /* beyond the last decision it takes the first option */
        assert_int_equal(pick(strategy, make_choice(&made, 6, 2)), 0);
    }
    /* with replay_stops, it stops after the last decision */
    options.replay_stops = true;
    struct strategy *stopping = create(&replay_strategy, pool, &options);
    begin(stopping);
    assert_int_equal(pick(stopping, make_choice(&made, 6, 2)), 1);
    assert_int_equal(pick(stopping, &value), 2);
    assert_int_equal(pick(stopping, make_choice(&made, 6, 2)), PICK_NOTHING);
    /* A divergence: another kind of choice, a task that is not enabled, a value out of range. */
    value.count = 2;
    for (uint32_t i = 0; i < 3; i++) {
        begin(strategy);
        if (i == 0)
            assert_int_equal(pick(strategy, &value), PICK_DIVERGED);
        else if (i == 1)
            assert_int_equal(pick(strategy, make_choice(&made, 8, 2)), PICK_DIVERGED);
        else {
            pick(strategy, make_choice(&made, 6, 2));
            assert_int_equal(pick(strategy, &value), PICK_DIVERGED);
        }
    }
    pool_close(pool);
}

static void strategies_have_names(void **state) {
    (void)state;
    for (uint32_t i = 0; strategies[i] != NULL; i++)
        assert_ptr_equal(strategy_named(strategies[i]->name), strategies[i]);
    assert_null(strategy_named("no such strategy"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_have_names),
        cmocka_unit_test(dfs_counts_are_multinomials),
        cmocka_unit_test(dfs_tries_all_values),
        cmocka_unit_test(other_options_are_a_divergence),
        cmocka_unit_test(random_executions_are_reproducible),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(memory_stays),
        cmocka_unit_test(replay_follows_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
