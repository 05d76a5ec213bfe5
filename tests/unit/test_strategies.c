/* test_strategies.c - dfs by counts that can be derived, random, replay. */
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

/* Edges of the tree of interleavings = its nodes but the root = how many ways lead to each vector of
 * positions, added up over all vectors but 0. */
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

/* Tasks of l_1, ..., l_k operations that never block: (l_1 + ... + l_k)! / (l_1! ... l_k!) orders. */
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

/* choose(3) and choose(2) after each other: 3 * 2 executions. */
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

/* A choice out of nothing, for strategies that only look at counts and tasks. */
struct made_choice {
    struct choice choice;
    struct op ops[4];
    struct pending pending[4];
};

static const struct choice *make_choice(struct made_choice *made, uint32_t first, uint32_t count) {
    memset(made, 0, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->ops[i] = (struct op){.kind = OP_STORE, .size = 8, .object = 64};
        made->pending[i] = (struct pending){first + i, 0, &made->ops[i]};
    }
    made->choice = (struct choice){CHOICE_SCHEDULE, count, NO_TASK, count, made->pending, NULL};
    return &made->choice;
}

/* While the prefix is repeated, another number of options or another task is a divergence, and so is
 * an execution that ends too early. */
static void other_options_are_a_divergence(void **state) {
    static const char *const names[] = {"dfs", "persistent"};
    struct options options = search_options();
    struct made_choice made;
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct pool *pool = pool_open();
        const struct strategy_ops *ops = strategy_named(names[i % 2]);
        struct strategy *strategy = ops->create(pool, &options);
        /* persistent learns from the first execution, and begins again */
        for (uint32_t first = 0; first < 1 + i % 2; first++) {
            assert_true(ops->begin(strategy));
            assert_int_equal(ops->pick(strategy, make_choice(&made, 0, 2)), 0);
            assert_int_equal(ops->pick(strategy, make_choice(&made, 0, 2)), 0);
            ops->end(strategy, OUTCOME_ENDED, NULL);
        }
        assert_true(ops->begin(strategy));
        assert_int_equal(strategy->prefix, 1);
        if (i < 2)
            assert_int_equal(ops->pick(strategy, make_choice(&made, 0, 3)), PICK_NOTHING);
        else if (i < 4)
            assert_int_equal(ops->pick(strategy, make_choice(&made, 1, 2)), PICK_NOTHING);
        else
            ops->end(strategy, OUTCOME_ENDED, NULL);
        assert_true(strategy->diverged);
        pool_close(pool);
    }
}

/* --- random --------------------------------------------------------------------------------- */

static void random_executions_are_reproducible(void **state) {
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct made_choice made;
    options.seed = 17;
    struct strategy *a = random_strategy.create(pool, &options);
    struct strategy *b = random_strategy.create(pool, &options);
    uint32_t different = 0, last = 0;
    (void)state;
    for (uint32_t execution = 0; execution < 50; execution++) {
        uint32_t same = 0;
        assert_true(random_strategy.begin(a) && random_strategy.begin(b));
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t picked = random_strategy.pick(a, make_choice(&made, 0, 4));
            assert_int_equal(picked, random_strategy.pick(b, make_choice(&made, 0, 4)));
            same = same * 4 + picked;
        }
        /* what one of them does more in an execution must not matter to the next */
        for (uint32_t i = 0; i < execution; i++)
            random_strategy.pick(a, make_choice(&made, 0, 3));
        different += same != last;
        last = same;
    }
    assert_true(different > 45);
    pool_close(pool);
}

/* 40,000 draws from 4 options: 10,000 each, standard deviation sqrt(40,000 * 1/4 * 3/4) = 87; five of
 * them are 433. */
static void random_is_uniform(void **state) {
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct strategy *strategy = random_strategy.create(pool, &options);
    uint32_t drawn[4] = {0};
    struct made_choice made;
    (void)state;
    for (uint32_t execution = 0; execution < 10000; execution++) {
        random_strategy.begin(strategy);
        for (uint32_t i = 0; i < 4; i++)
            drawn[random_strategy.pick(strategy, make_choice(&made, 0, 4))]++;
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_in_range(drawn[i], 10000 - 433, 10000 + 433);
    pool_close(pool);
}

/* Memory must not grow with the number of executions, whatever is switched on. */
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
        /* findings are kept: up to their number they may differ */
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
    struct strategy *strategy = replay_strategy.create(pool, &options);
    struct choice value = {.tag = CHOICE_VALUE, .count = 3};
    for (uint32_t i = 0; i < 2; i++) { /* each begin starts again */
        assert_true(replay_strategy.begin(strategy));
        assert_int_equal(replay_strategy.pick(strategy, make_choice(&made, 6, 2)), 1);
        assert_int_equal(replay_strategy.pick(strategy, &value), 2);
        /* beyond the end: the first option */
        assert_int_equal(replay_strategy.pick(strategy, make_choice(&made, 6, 2)), 0);
        assert_false(strategy->diverged);
    }
    /* what was left unfinished stops there */
    options.replay_stops = true;
    struct strategy *stopping = replay_strategy.create(pool, &options);
    assert_true(replay_strategy.begin(stopping));
    assert_int_equal(replay_strategy.pick(stopping, make_choice(&made, 6, 2)), 1);
    assert_int_equal(replay_strategy.pick(stopping, &value), 2);
    assert_int_equal(replay_strategy.pick(stopping, make_choice(&made, 6, 2)), PICK_NOTHING);
    assert_false(stopping->diverged);
    /* another kind of choice, a task that is not enabled, a value out of range */
    value.count = 2;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(replay_strategy.begin(strategy));
        if (i == 0)
            assert_int_equal(replay_strategy.pick(strategy, &value), PICK_NOTHING);
        else if (i == 1)
            assert_int_equal(replay_strategy.pick(strategy, make_choice(&made, 8, 2)),
                             PICK_NOTHING);
        else {
            replay_strategy.pick(strategy, make_choice(&made, 6, 2));
            assert_int_equal(replay_strategy.pick(strategy, &value), PICK_NOTHING);
        }
        assert_true(strategy->diverged);
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
