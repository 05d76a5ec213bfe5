/* test_strata.c - searches in strata of preemptions and of depth, judged by the graph of all states
 * (graph.h) and by dfs. test_ses.c tests the same for ses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "unit/graph.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { SCRIPTS = 150, STATES_MAX = 3000, EXECUTIONS_MAX = 60000 };

static struct options strata_options(void) {
    struct options options = search_options();
    options.memory_limit = 64 << 20;
    options.seed = 5;
    return options;
}

static bool same_ends(const struct search *a, const struct search *b) {
    return set_equal(&a->finals, &b->finals) && set_equal(&a->stuck, &b->stuck) &&
           set_equal(&a->failures, &b->failures) &&
           memcmp(a->findings, b->findings, sizeof a->findings) == 0;
}

static void fail_with(const struct script *script, const char *what, int number) {
    print_script(script);
    fail_msg("%s, %d", what, number);
}

/* The search must visit every state. If `exact` is set, as for depth-bounding, it must also take
 * each transition once. */
static void compare_all(const struct script *script, const struct graph *graph,
                        const struct search *all, const char *strategy, struct options options,
                        bool exact) {
    struct search search;
    search_script(script, strategy, &options, &search);
    if (!search.exhausted || search.diverged || search.bound_cut || !same_ends(&search, all) ||
        search.strata.states != graph->counted)
        fail_with(script, strategy, (int)search.strata.states);
    if (exact && (search.counters.transitions != graph->transitions ||
                  search.counters.executions != graph->complete))
        fail_with(script, strategy, (int)search.counters.transitions);
    search_free(&search);
}

static void compare_script(const struct script *script, const struct graph *graph,
                           const struct search *all) {
    struct options options = strata_options();
    compare_all(script, graph, all, "preemption-bounding", options, false);
    for (uint32_t step = 1; step <= 5; step += 2) {
        options.depth_step = step;
        options.seed = step;
        compare_all(script, graph, all, "depth-bounding", options, true);
    }
    options.checkpoints = CHECKPOINTS_OFF;
    compare_all(script, graph, all, "preemption-bounding", options, false);
    compare_all(script, graph, all, "depth-bounding", options, true);
}

static void every_state(void **state) {
    static struct random_script random;
    struct random generator;
    uint32_t compared = 0;
    (void)state;
    random_seed(&generator, 77);
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        struct graph graph;
        random_script(&random, &generator, FLAVOUR_SEARCH, 2 + i % 2, 2 + i % 3);
        if (explore_graph(&random.script, STATES_MAX, &graph)) {
            struct options options = search_options();
            struct search all;
            options.max_executions = EXECUTIONS_MAX;
            search_script(&random.script, "dfs", &options, &all);
            if (all.exhausted) {
                compare_script(&random.script, &graph, &all);
                compared++;
            }
            search_free(&all);
        }
        free_graph(&graph);
    }
    assert_true(compared >= SCRIPTS / 2);
}

/* Within a bound, preemption-bounding reaches all ends that the unreduced search reaches within
 * this bound. */
static void a_bound_on_preemptions_is_exact(void **state) {
    static struct random_script random;
    struct random generator;
    uint32_t compared = 0, cut = 0;
    (void)state;
    random_seed(&generator, 78);
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        random_script(&random, &generator, FLAVOUR_SEARCH, 2 + i % 2, 2 + i % 3);
        for (int32_t bound = 0; bound < 4; bound++) {
            struct options options = strata_options();
            struct search all, within;
            options.preemptions = bound;
            options.max_executions = EXECUTIONS_MAX;
            search_script(&random.script, "dfs", &options, &all);
            options.max_executions = 0;
            search_script(&random.script, "preemption-bounding", &options, &within);
            if (all.exhausted &&
                (!same_ends(&all, &within) || (within.bound_cut && !all.bound_cut)))
                fail_with(&random.script, "preemptions", bound);
            compared += all.exhausted;
            cut += within.bound_cut;
            search_free(&all);
            search_free(&within);
        }
    }
    assert_true(compared >= 2 * SCRIPTS && cut >= SCRIPTS / 2);
}

/* Two tasks have 6 steps without any effect. A state is a pair of positions: 7 * 7 = 49 states. All
 * ways to a state have the same length, so the order of the search does not matter. Up to depth 5
 * there are 1 + 2 + ... + 6 = 21 states. Up to depth 10 there are all but (5, 6), (6, 5) and (6,
 * 6), so 49 - 3 - 21 = 25 more. These 3 are left for the last stratum. */
static void strata_of_depth(void **state) {
    static const struct script_instruction yields[6] = {[0 ... 5] = {.code = OP_YIELD}};
    const struct script script = {
        .tasks = {{yields, 6}, {yields, 6}}, .task_count = 2, .started = 3};
    static const uint64_t expected[] = {21, 25, 3};
    struct options options = strata_options();
    struct search search;
    (void)state;
    search_script(&script, "depth-bounding", &options, &search);
    assert_true(search.exhausted);
    assert_int_equal(search.strata.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(search.strata.rows[i].bound, 5 * (i + 1));
        assert_int_equal(search.strata.rows[i].states, expected[i]);
    }
    search_free(&search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state),
        cmocka_unit_test(a_bound_on_preemptions_is_exact),
        cmocka_unit_test(strata_of_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
