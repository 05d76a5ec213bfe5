/* test_sleep.c - sleep sets against the unreduced search: the same final states, deadlocks and failed
 * assertions, on random programs over all operation kinds; and counts that can be derived. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>

#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 600, EXECUTIONS_MAX = 5000 };

static struct script script_of(const struct script_instruction *const *codes,
                               const uint32_t *lengths, uint32_t count) {
    struct script script = {.task_count = count, .started = (1u << count) - 1};
    for (uint32_t i = 0; i < count; i++)
        script.tasks[i] = (struct script_task){codes[i], lengths[i]};
    return script;
}

/* readers(n): one task writes x, n tasks read x. 2^n traces: each reader is before or
 * after the write. Sleep sets explore each trace once (they never explore two executions of a trace),
 * beside blocked ones. */
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
        search_script(&script, "sleep", &options, &search);
        assert_true(search.exhausted);
        assert_int_equal(search.counters.executions, 1u << n);
        assert_int_equal(search.finals.count, 1u << n);
        search_free(&search);
    }
}

/* Two tasks of two operations each on their own variables: one trace. The other orders are cut where
 * everything that is enabled sleeps. */
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
    search_script(&script, "sleep", &options, &search);
    assert_int_equal(search.counters.executions, 1);
    search_free(&search);
}

/* choose(2) in each of two tasks: 2 * 2 values, and their order does not matter: 4 executions. Both
 * values of the first task's choice must be tried before it goes to sleep. */
static void values_are_exhausted_before_a_task_sleeps(void **state) {
    static const struct script_instruction choose = {.code = OP_CHOOSE, .value = 2};
    const struct script_instruction *codes[] = {&choose, &choose};
    uint32_t lengths[] = {1, 1};
    struct script script = script_of(codes, lengths, 2);
    struct options options = search_options();
    struct search search;
    (void)state;
    search_script(&script, "sleep", &options, &search);
    assert_int_equal(search.counters.executions, 4);
    assert_int_equal(search.finals.count, 4);
    search_free(&search);
}

/* Philosophers of seed 003: n tasks, each takes left, right, and puts both back. */
static void philosophers(void **state) {
    enum { MAX = 4 };
    static const uint32_t transitions[] = {0, 0, 18, 1680, 386816};
    struct script_instruction code[MAX][4];
    (void)state;
    for (uint32_t n = 2; n <= MAX; n++) {
        struct script script = {.task_count = n, .started = (1u << n) - 1};
        for (uint32_t i = 0; i < n; i++) {
            uint8_t left = (uint8_t)i, right = (uint8_t)((i + 1) % n);
            code[i][0] = (struct script_instruction){.code = OP_LOCK, .object = left};
            code[i][1] = (struct script_instruction){.code = OP_LOCK, .object = right};
            code[i][2] = (struct script_instruction){.code = OP_UNLOCK, .object = left};
            code[i][3] = (struct script_instruction){.code = OP_UNLOCK, .object = right};
            script.tasks[i] = (struct script_task){code[i], 4};
        }
        struct options options = search_options();
        struct search dfs, sleep;
        search_script(&script, "dfs", &options, &dfs);
        search_script(&script, "sleep", &options, &sleep);
        assert_int_equal(dfs.counters.transitions, transitions[n]);
        assert_int_equal(dfs.stuck.count, 1);
        assert_int_equal(dfs.findings[FINDING_DEADLOCK], 1);
        assert_true(set_equal(&dfs.stuck, &sleep.stuck));
        assert_int_equal(sleep.findings[FINDING_DEADLOCK], 1);
        if (n > 2)
            assert_true(sleep.counters.transitions * 2 < dfs.counters.transitions);
        search_free(&dfs);
        search_free(&sleep);
    }
}

/* What was compared, so that the test cannot become empty unnoticed. */
struct tally {
    uint32_t programs, reduced, with_stuck, with_failures;
    uint32_t kinds[SCRIPT_CODES]; /* programs in which it occurs */
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
                    const struct search *sleep) {
    if (!set_equal(&dfs->finals, &sleep->finals) || !set_equal(&dfs->stuck, &sleep->stuck) ||
        !set_equal(&dfs->failures, &sleep->failures) || dfs->diverged || sleep->diverged ||
        !sleep->exhausted) {
        print_script(script);
        print_error("finals %zu/%zu stuck %zu/%zu failures %zu/%zu\n", dfs->finals.count,
                    sleep->finals.count, dfs->stuck.count, sleep->stuck.count, dfs->failures.count,
                    sleep->failures.count);
        fail();
    }
    assert_true(sleep->counters.executions <= dfs->counters.executions);
    assert_true(sleep->counters.transitions <= dfs->counters.transitions);
}

static void try_program(struct random *random, struct tally *tally) {
    struct random_script program;
    struct options options = search_options();
    struct search dfs, sleep;
    uint32_t tasks = 2 + random_below(random, 3);
    random_script(&program, random, FLAVOUR_SEARCH, tasks, 6 - tasks);
    options.max_executions = EXECUTIONS_MAX;
    search_script(&program.script, "dfs", &options, &dfs);
    if (dfs.exhausted && dfs.counters.executions > 1) {
        search_script(&program.script, "sleep", &options, &sleep);
        compare(&program.script, &dfs, &sleep);
        tally->programs++;
        tally->reduced += sleep.counters.executions < dfs.counters.executions;
        tally->with_stuck += dfs.stuck.count > 0;
        tally->with_failures += dfs.failures.count > 0;
        count_kinds(&program.script, tally);
        search_free(&sleep);
    }
    search_free(&dfs);
}

static bool in_scripts(uint32_t code) {
    static const uint8_t absent[] = {
        OP_MUTEX_INIT,
        OP_MUTEX_DESTROY,
        OP_COND_INIT,
        OP_COND_DESTROY,
        OP_RWLOCK_INIT,
        OP_RWLOCK_DESTROY,
        OP_SPIN_INIT,
        OP_SPIN_DESTROY,
        OP_BARRIER_INIT,
        OP_BARRIER_DESTROY,
        OP_SEM_INIT,
        OP_SEM_DESTROY,
        OP_KEY,
        OP_FUTEX_WAIT,
        OP_FUTEX_SLEEP,
        OP_FUTEX_WAKE,
        /* part of another instruction */
        OP_COND_SLEEP,
        OP_COND_WAKE,
        OP_BARRIER_LEAVE,
        OP_ONCE_LEAVE,
        /* only in programs with data races */
        SCRIPT_READ,
        SCRIPT_WRITE,
    };
    for (uint32_t i = 0; i < sizeof absent; i++)
        if (absent[i] == code)
            return false;
    return true;
}

static void same_outcomes_as_dfs(void **state) {
    struct random random;
    struct tally tally = {0};
    (void)state;
    random_seed(&random, 2);
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
        cmocka_unit_test(same_outcomes_as_dfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
