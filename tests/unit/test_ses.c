/* test_ses.c - stratified exhaustive search: it visits every reachable state once, with every
 * explorer.
 *
 * The judge is a breadth-first search over saved states (graph.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "strategies/delaying.h"
#include "unit/graph.h"
#include "unit/harness.h"
#include "unit/random_script.h"

/* --- comparing ------------------------------------------------------------------------------- */

static struct options ses_options(const char *explorer, uint32_t step) {
    struct options options = search_options();
    snprintf(options.explorer, sizeof options.explorer, "%s", explorer);
    options.delay_step = step;
    options.memory_limit = 64 << 20;
    options.seed = 5;
    return options;
}

static bool same_ends(const struct search *a, const struct search *b) {
    return set_equal(&a->finals, &b->finals) && set_equal(&a->stuck, &b->stuck) &&
           set_equal(&a->failures, &b->failures) &&
           memcmp(a->findings, b->findings, sizeof a->findings) == 0;
}

static bool agrees(const struct search *search, const struct graph *graph,
                   const struct search *all) {
    return search->exhausted && !search->diverged && search->strata.states == graph->counted &&
           search->counters.transitions == graph->transitions &&
           search->counters.executions == graph->complete && same_ends(search, all);
}

static void compare(const struct script *script, const struct graph *graph, const char *explorer,
                    uint32_t step, enum checkpoints_mode checkpoints, const struct search *all) {
    struct options options = ses_options(explorer, step);
    struct search search;
    options.checkpoints = checkpoints;
    search_script(script, "ses", &options, &search);
    if (!agrees(&search, graph, all)) {
        print_script(script);
        fprintf(stderr,
                "%s, step %u: %llu states, %llu transitions, %llu executions; there are %llu, "
                "%llu, %llu\n",
                explorer, step, (unsigned long long)search.strata.states,
                (unsigned long long)search.counters.transitions,
                (unsigned long long)search.counters.executions, (unsigned long long)graph->counted,
                (unsigned long long)graph->transitions, (unsigned long long)graph->complete);
        fail();
    }
    search_free(&search);
}

/* Theorem 2 of seed 001, by counting: the search has as many states, transitions and ends as the
 * graph. */
static void every_state_once(void **state) {
    enum { SCRIPTS = 150, STATES_MAX = 3000 };
    static struct random_script random;
    struct random generator;
    uint32_t compared = 0;
    (void)state;
    random_seed(&generator, 4242);
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        struct graph graph;
        random_script(&random, &generator, FLAVOUR_SEARCH, 2 + i % 2, 2 + i % 3);
        if (explore_graph(&random.script, STATES_MAX, &graph)) {
            struct options options = search_options();
            struct search all;
            options.max_executions = 60000;
            search_script(&random.script, "dfs", &options, &all);
            for (const struct heddle_explorer *const *at = explorers; all.exhausted && *at; at++) {
                compare(&random.script, &graph, (*at)->name, 1, CHECKPOINTS_ON, &all);
                compare(&random.script, &graph, (*at)->name, 3, CHECKPOINTS_ON, &all);
                compare(&random.script, &graph, (*at)->name, 2, CHECKPOINTS_OFF, &all);
                compared++;
            }
            search_free(&all);
        }
        free_graph(&graph);
    }
    assert_true(compared >= SCRIPTS); /* each script counts once for each of four explorers */
}

/* --- philosophers ---------------------------------------------------------------------------- */

/* Seed 003, Fig. 1: each philosopher waits for the left and the right fork, then signals the left
 * and the right. There are n forks. */
static void dine(uint32_t count, struct script *script,
                 struct script_instruction code[SCRIPT_TASKS][4]) {
    memset(script, 0, sizeof *script);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t left = (uint8_t)i, right = (uint8_t)((i + 1) % count);
        code[i][0] = (struct script_instruction){.code = OP_SEM_WAIT, .object = left};
        code[i][1] = (struct script_instruction){.code = OP_SEM_WAIT, .object = right};
        code[i][2] = (struct script_instruction){.code = OP_SEM_POST, .object = left};
        code[i][3] = (struct script_instruction){.code = OP_SEM_POST, .object = right};
        script->tasks[i] = (struct script_task){code[i], 4};
        script->semaphores[i] = 1;
    }
    script->task_count = count;
    script->started = (1u << count) - 1;
}

/* Seed 003, Table 1: 17, 75, 321, 1363 states and 18, 123, 708, 3765 transitions for 2 to 5
 * philosophers. */
static void philosophers(void **state) {
    static const uint32_t states[] = {17, 75, 321, 1363}, transitions[] = {18, 123, 708, 3765};
    (void)state;
    for (uint32_t count = 2; count <= SCRIPT_OBJECTS; count++)
        for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++) {
            struct script_instruction code[SCRIPT_TASKS][4];
            struct script script;
            struct options options = ses_options((*at)->name, 1);
            struct search search;
            dine(count, &script, code);
            search_script(&script, "ses", &options, &search);
            assert_true(search.exhausted);
            assert_int_equal(search.strata.states, states[count - 2]);
            assert_int_equal(search.counters.transitions, transitions[count - 2]);
            assert_int_equal(search.findings[FINDING_DEADLOCK], 1);
            search_free(&search);
        }
}

/* If a state includes the explorer's state, there are more of them (seed 000, table 1). The
 * findings are the same. */
static void pairs_cost_more(void **state) {
    struct script_instruction code[SCRIPT_TASKS][4];
    struct script script;
    struct options options = ses_options("rr", 1);
    struct search search;
    (void)state;
    dine(4, &script, code);
    options.cache = CACHE_PAIR;
    search_script(&script, "ses", &options, &search);
    assert_true(search.exhausted);
    assert_true(search.strata.states > 321);
    assert_int_equal(search.findings[FINDING_DEADLOCK], 1);
    search_free(&search);
}

/* A bound leaves states out, and the search says so. */
static void a_bound_is_kept(void **state) {
    struct script_instruction code[SCRIPT_TASKS][4];
    struct script script;
    struct options options = ses_options("rr", 1);
    struct search search;
    (void)state;
    dine(4, &script, code);
    options.delays = 0;
    search_script(&script, "ses", &options, &search);
    assert_true(search.bound_cut);
    /* One philosopher after the other does its four operations: 1 + 4 * 4 = 17 states. */
    assert_int_equal(search.strata.states, 17);
    assert_int_equal(search.strata.completed, 1);
    search_free(&search);
}

/* There is so little memory that the set of visited states is full at once. This takes more work
 * and gives the same result. */
static void little_memory(void **state) {
    struct script_instruction code[SCRIPT_TASKS][4];
    struct script script;
    (void)state;
    dine(4, &script, code);
    for (enum visited_full full = VISITED_STOPS; full <= VISITED_REPLACES; full++) {
        struct options options = ses_options("rtc", 1);
        struct search search;
        options.memory_limit = 1 << 20;
        options.full = full;
        search_script(&script, "ses", &options, &search);
        assert_true(search.exhausted);
        assert_int_equal(search.strata.frontier_lost, 0);
        assert_int_equal(search.findings[FINDING_DEADLOCK], 1);
        search_free(&search);
    }
}

/* --- speed ---------------------------------------------------------------------------------- */

/* If this program gets arguments, it measures instead of testing. The tasks store to variables of
 * their own, so there are (operations + 1) ^ tasks states. */
static void measure(uint32_t tasks, uint32_t operations, const char *explorer) {
    static struct script_instruction code[SCRIPT_TASKS][64];
    struct script script = {.task_count = tasks, .started = (1u << tasks) - 1};
    struct options options = ses_options(explorer, 1);
    struct search search;
    struct timespec times[2];
    for (uint32_t i = 0; i < tasks; i++) {
        for (uint32_t j = 0; j < operations; j++)
            code[i][j] = (struct script_instruction){
                .code = OP_STORE, .object = (uint8_t)i, .value = (int32_t)j + 1};
        script.tasks[i] = (struct script_task){code[i], operations};
    }
    options.memory_limit = 512 << 20;
    clock_gettime(CLOCK_MONOTONIC, &times[0]);
    search_script(&script, "ses", &options, &search);
    clock_gettime(CLOCK_MONOTONIC, &times[1]);
    double seconds = (double)(times[1].tv_sec - times[0].tv_sec) +
                     (double)(times[1].tv_nsec - times[0].tv_nsec) / 1e9;
    printf(
        "%s: %llu states, %llu transitions, %u strata in %.2f s: %.0f ns a transition; %.1f bytes "
        "a state\n",
        explorer, (unsigned long long)search.strata.states,
        (unsigned long long)search.counters.transitions, search.strata.count, seconds,
        seconds * 1e9 / (double)search.counters.transitions,
        (double)search.strata.bytes_max / (double)search.strata.states);
    search_free(&search);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philosophers),    cmocka_unit_test(every_state_once),
        cmocka_unit_test(pairs_cost_more), cmocka_unit_test(a_bound_is_kept),
        cmocka_unit_test(little_memory),
    };
    if (argc > 3) {
        measure((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]), argv[3]);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
