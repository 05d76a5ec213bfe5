/* test_persistent.c - persistent sets and sleep sets, compared with the unreduced search: the same
 * final states, deadlocks and failed assertions on random programs over all operation kinds. The
 * other tests compare with counts that are derived in their comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "substrates/scripted/effects.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum {
    PROGRAMS = 600,
    EXECUTIONS_MAX = 5000,
    /* One execution comes before the search proper, to learn which operations each task has. */
    LEARNING = 1,
};

static struct script script_of(const struct script_instruction *const *codes,
                               const uint32_t *lengths, uint32_t count) {
    struct script script = {.task_count = count, .started = (1u << count) - 1};
    for (uint32_t i = 0; i < count; i++)
        script.tasks[i] = (struct script_task){codes[i], lengths[i]};
    return script;
}

/* readers(n): one task writes x, n tasks read x. There are 2^n traces, because each reader is
 * before or after the write. Sleep sets never explore two executions of one trace, so there are 2^n
 * executions. Blocked executions are counted separately. */
static void readers_have_one_execution_a_trace(void **state) {
    static const struct script_instruction store = {.code = OP_STORE, .value = 1};
    static const struct script_instruction load = {.code = OP_LOAD};
    (void)state;
    for (uint32_t n = 1; n <= 6; n++) {
        const struct script_instruction *codes[] = {&store, &load, &load, &load,
                                                    &load,  &load, &load};
        uint32_t lengths[] = {1, 1, 1, 1, 1, 1, 1};
        struct script script = script_of(codes, lengths, n + 1);
        struct options options = search_options();
        struct search search;
        search_script(&script, "persistent", &options, &search);
        assert_true(search.exhausted);
        assert_int_equal(search.counters.executions, LEARNING + (1u << n));
        assert_int_equal(search.finals.count, 1u << n);
        search_free(&search);
    }
}

/* Two tasks of two operations each, on their own variables: one trace. Each task alone is a
 * persistent set, so no other order is begun. */
static void independent_tasks_have_one_execution(void **state) {
    static const struct script_instruction a[] = {{.code = OP_STORE, .object = 0},
                                                  {.code = OP_STORE, .object = 0}};
    static const struct script_instruction b[] = {{.code = OP_STORE, .object = 1},
                                                  {.code = OP_STORE, .object = 1}};
    const struct script_instruction *codes[] = {a, b};
    uint32_t lengths[] = {2, 2};
    struct script script = script_of(codes, lengths, 2);
    struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "persistent", &options, &search);
    assert_int_equal(search.counters.executions, LEARNING + 1);
    assert_int_equal(search.counters.blocked_executions, 0);
    search_free(&search);
}

/* choose(2) in each of two tasks: 2 * 2 = 4 combinations of values. The order of the tasks does not
 * matter, so there are 4 executions. Both values of the first task's choice must be tried before
 * this task goes to sleep. */
static void values_are_exhausted_before_a_task_sleeps(void **state) {
    static const struct script_instruction choose = {.code = OP_CHOOSE, .value = 2};
    const struct script_instruction *codes[] = {&choose, &choose};
    uint32_t lengths[] = {1, 1};
    struct script script = script_of(codes, lengths, 2);
    struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "persistent", &options, &search);
    assert_int_equal(search.counters.executions, LEARNING + 4);
    assert_int_equal(search.finals.count, 4);
    search_free(&search);
}

/* The philosophers of seed 003: n tasks. Each takes its left and its right fork, and puts both
 * back. */
static struct script philosophers_of(uint32_t n, struct script_instruction (*code)[4]) {
    struct script script = {.task_count = n, .started = (1u << n) - 1};
    for (uint32_t i = 0; i < n; i++) {
        uint8_t left = (uint8_t)i, right = (uint8_t)((i + 1) % n);
        code[i][0] = (struct script_instruction){.code = OP_LOCK, .object = left};
        code[i][1] = (struct script_instruction){.code = OP_LOCK, .object = right};
        code[i][2] = (struct script_instruction){.code = OP_UNLOCK, .object = left};
        code[i][3] = (struct script_instruction){.code = OP_UNLOCK, .object = right};
        script.tasks[i] = (struct script_task){code[i], 4};
    }
    return script;
}

/* The reduced search has fewer transitions than the state graph (seed 003, section 4), and finds
 * the one deadlock. */
static void philosophers(void **state) {
    enum { DFS_MAX = 4, MAX = 5 };
    static const uint32_t unreduced[] = {0, 0, 18, 1680, 386816};
    static const uint32_t graph[] = {0, 0, 18, 123, 708, 3765};
    struct script_instruction code[MAX][4];
    struct options options = search_options();
    (void)state;
    for (uint32_t n = 2; n <= MAX; n++) {
        struct script script = philosophers_of(n, code);
        struct search dfs, reduced;
        search_script(&script, "persistent", &options, &reduced);
        assert_true(reduced.counters.transitions < graph[n]);
        assert_int_equal(reduced.findings[FINDING_DEADLOCK], 1);
        if (n <= DFS_MAX) {
            search_script(&script, "dfs", &options, &dfs);
            assert_int_equal(dfs.counters.transitions, unreduced[n]);
            assert_int_equal(dfs.findings[FINDING_DEADLOCK], 1);
            assert_true(set_equal(&dfs.stuck, &reduced.stuck));
            search_free(&dfs);
        }
        search_free(&reduced);
    }
}

/* In the first execution the load of `a` comes first and reads 0. Then `a` does nothing else, and
 * each task alone looks persistent. Only if the load reads 1 does the search learn that `a` stores
 * to the variable that `b` loads. There are 3 final states: `a` reads 0, or `a` reads 1 and `b`
 * reads 0 or 1. */
static void learned_operations_are_revised(void **state) {
    static const struct script_instruction a[] = {{
                                                      .code = OP_LOAD,
                                                      .object = 0,
                                                  },
                                                  {.code = SCRIPT_SKIP_IF, .value = 0, .value2 = 1},
                                                  {.code = OP_STORE, .object = 1, .value = 1}};
    static const struct script_instruction b[] = {{.code = OP_STORE, .object = 0, .value = 1},
                                                  {.code = OP_LOAD, .object = 1}};
    const struct script_instruction *codes[] = {a, b};
    uint32_t lengths[] = {3, 2};
    struct script script = script_of(codes, lengths, 2);
    struct options options = search_options();
    struct search dfs, reduced;
    (void)state;
    search_script(&script, "dfs", &options, &dfs);
    search_script(&script, "persistent", &options, &reduced);
    assert_int_equal(dfs.finals.count, 3);
    assert_true(set_equal(&dfs.finals, &reduced.finals));
    search_free(&dfs);
    search_free(&reduced);
}

/* Counts what was compared, so that the test cannot become empty unnoticed. */
struct tally {
    uint32_t programs, reduced, with_stuck, with_failures;
    uint32_t kinds[SCRIPT_CODES]; /* for each instruction, the number of programs that contain it */
};

static void count_kinds(const struct script *script, struct tally *tally) {
    bool seen[SCRIPT_CODES] = {0};
    for (uint32_t task = 0; task < script->task_count; task++)
        for (uint32_t i = 0; i < script->tasks[task].length; i++)
            seen[script->tasks[task].code[i].code] = true;
    for (uint32_t i = 0; i < SCRIPT_CODES; i++)
        tally->kinds[i] += seen[i];
}

static void compare(const struct script *script, const struct search *dfs,
                    const struct search *reduced) {
    if (!set_equal(&dfs->finals, &reduced->finals) || !set_equal(&dfs->stuck, &reduced->stuck) ||
        !set_equal(&dfs->failures, &reduced->failures) || dfs->diverged || reduced->diverged ||
        !reduced->exhausted) {
        print_script(script);
        print_error("finals %zu/%zu stuck %zu/%zu failures %zu/%zu\n", dfs->finals.count,
                    reduced->finals.count, dfs->stuck.count, reduced->stuck.count,
                    dfs->failures.count, reduced->failures.count);
        fail();
    }
}

static void try_program(struct random *random, struct tally *tally) {
    struct random_script program;
    struct options options = search_options();
    struct search dfs, reduced;
    uint32_t tasks = 2 + random_below(random, 3);
    random_script(&program, random, FLAVOUR_SEARCH, tasks, 6 - tasks);
    options.max_executions = EXECUTIONS_MAX;
    search_script(&program.script, "dfs", &options, &dfs);
    if (dfs.exhausted && dfs.counters.executions > 1) {
        search_script(&program.script, "persistent", &options, &reduced);
        compare(&program.script, &dfs, &reduced);
        tally->programs++;
        tally->reduced += reduced.counters.executions < dfs.counters.executions;
        tally->with_stuck += dfs.stuck.count > 0;
        tally->with_failures += dfs.failures.count > 0;
        count_kinds(&program.script, tally);
        search_free(&reduced);
    }
    search_free(&dfs);
}

static bool in_scripts(uint32_t code) {
    static const uint8_t absent[] = {
        SCRIPT_UNTIL,        /* only where a test says what kind of operation it is: test_dpor.c */
        OP_ANNOTATE_RELEASE, /* matter only to the race analysis */
        OP_ANNOTATE_ACQUIRE,
        /* part of another instruction */
        OP_COND_SLEEP,
        OP_COND_WAKE,
        OP_BARRIER_LEAVE,
        OP_ONCE_LEAVE,
        OP_ASSUME,
        OP_FAIL,
        /* only in programs with data races */
        SCRIPT_READ,
        SCRIPT_WRITE,
    };
    for (uint32_t i = 0; i < sizeof absent; i++)
        if (absent[i] == code)
            return false;
    return code >= OP_KINDS || script_effects[code].perform != NULL;
}

static void same_outcomes_as_dfs(void **state) {
    struct random random;
    struct tally tally = {0};
    (void)state;
    random_seed(&random,
                getenv("HEDDLE_TEST_SEED") ? strtoul(getenv("HEDDLE_TEST_SEED"), NULL, 0) : 2);
    while (tally.programs < PROGRAMS)
        try_program(&random, &tally);
    print_message("%u programs: %u reduced, %u with stuck states, %u with failures\n",
                  tally.programs, tally.reduced, tally.with_stuck, tally.with_failures);
    assert_true(tally.reduced > PROGRAMS / 3);
    assert_true(tally.with_stuck > PROGRAMS / 20);
    assert_true(tally.with_failures > PROGRAMS / 20);
    for (uint32_t i = 0; i < SCRIPT_CODES; i++)
        if (in_scripts(i) && tally.kinds[i] < 5)
            fail_msg("instruction %u only in %u programs", i, tally.kinds[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_have_one_execution_a_trace),
        cmocka_unit_test(independent_tasks_have_one_execution),
        cmocka_unit_test(values_are_exhausted_before_a_task_sleeps),
        cmocka_unit_test(philosophers),
        cmocka_unit_test(learned_operations_are_revised),
        cmocka_unit_test(same_outcomes_as_dfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
