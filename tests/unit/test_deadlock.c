/* test_deadlock.c - how tasks that cannot move are classified, and what the finding says about
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "analyses/analyses.h"
#include "unit/answering.h"
#include "unit/harness.h"

#define CODE(...) ((const struct script_instruction[]){__VA_ARGS__})
#define TASK(...) \
    { CODE(__VA_ARGS__), sizeof CODE(__VA_ARGS__) / sizeof(struct script_instruction) }

static struct finding last;
static uint32_t found_count;

static void found(struct host *host, const struct finding *finding) {
    (void)host;
    last = *finding;
    found_count++;
}

/* Runs the tasks in the given order, and after that always the first enabled task. Then the
 * analysis judges the end. */
static const struct finding *judge(const struct script *script, const char *schedule) {
    static struct execution execution;
    struct pool *pool = pool_open();
    struct options options = search_options();
    struct answering host;
    struct host_ops ops;
    struct scripted system;
    struct choice choice = {0};
    answering_init(&host);
    ops = *host.base.ops;
    ops.found = found;
    host.base = (struct host){.ops = &ops, .evidence = true};
    execution_init(&execution, pool);
    struct analysis_context context = {.pool = pool,
                                       .options = &options,
                                       .system = &system.base,
                                       .host = &host.base,
                                       .execution = &execution};
    struct analysis *analysis = deadlock_analysis.create(&context);
    found_count = 0;
    scripted_init(&system, script);
    analysis->ops->begin(analysis);
    system.base.ops->start(&system.base, &host.base);
    enum outcome outcome = system.base.ops->outcome(&system.base);
    while (outcome == OUTCOME_RUNNING) {
        system.base.ops->pending(&system.base, &choice);
        if (choice.count == 0)
            outcome = OUTCOME_STUCK;
        else {
            uint32_t task = *schedule ? (uint32_t)(*schedule++ - '0') : choice.pending[0].task;
            scripted_step(&system, task);
            outcome = system.base.ops->outcome(&system.base);
        }
    }
    system.base.ops->pending(&system.base, &choice);
    analysis->ops->end(analysis, outcome, &choice);
    pool_close(pool);
    return found_count ? &last : NULL;
}

static const struct script abba = {
    .tasks = {TASK({.code = OP_LOCK, .object = 0}, {.code = OP_LOCK, .object = 1}),
              TASK({.code = OP_LOCK, .object = 1}, {.code = OP_LOCK, .object = 0})},
    .task_count = 2,
    .started = 3,
};

static void abba_is_a_cycle(void **state) {
    const struct finding *finding = judge(&abba, "01");
    (void)state;
    assert_non_null(finding);
    assert_int_equal(finding->kind, FINDING_DEADLOCK);
    assert_string_equal(finding->text, "2 tasks wait for each other in a cycle");
    assert_int_equal(finding->wait_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(finding->waits[i].task, i);
        assert_int_equal(finding->waits[i].holder, 1 - i);
        assert_int_equal(finding->waits[i].op.kind, OP_LOCK);
        assert_true(finding->waits[i].stack > 0);
    }
}

/* Task 0 goes first and ends with both locks. Task 1 is blocked for ever, but the first task (main)
 * is not, so this is no deadlock. */
static void a_lock_that_nobody_gives_back(void **state) {
    const struct finding *finding = judge(&abba, "00");
    (void)state;
    assert_int_equal(finding->kind, FINDING_BLOCKED);
    assert_string_equal(finding->text,
                        "1 task is blocked, and no other task is left that could go on");
    assert_int_equal(finding->wait_count, 1);
    assert_int_equal(finding->waits[0].task, 1);
}

static void the_first_task_blocked_is_a_deadlock(void **state) {
    const struct finding *finding = judge(&abba, "11");
    (void)state;
    assert_int_equal(finding->kind, FINDING_DEADLOCK);
    assert_int_equal(finding->waits[0].task, 0);
}

/* Two tasks wait for each other, and a third one joins one of them. The report shows the cycle
 * first, then the rest. */
static void a_cycle_and_a_task_that_waits_for_it(void **state) {
    const struct script script = {
        .tasks = {TASK({.code = OP_JOIN, .object = 1}),
                  TASK({.code = OP_LOCK, .object = 0}, {.code = OP_LOCK, .object = 1}),
                  TASK({.code = OP_LOCK, .object = 1}, {.code = OP_LOCK, .object = 0})},
        .task_count = 3,
        .started = 7,
    };
    const struct finding *finding = judge(&script, "12");
    (void)state;
    assert_int_equal(finding->kind, FINDING_DEADLOCK);
    assert_string_equal(finding->text, "2 tasks wait for each other in a cycle; 1 more is blocked");
    assert_int_equal(finding->wait_count, 3);
    assert_int_equal(finding->waits[0].task, 1);
    assert_int_equal(finding->waits[1].task, 2);
    assert_int_equal(finding->waits[2].task, 0);
}

static void a_task_may_wait_for_itself(void **state) {
    const struct script script = {
        .tasks = {TASK({.code = OP_LOCK}, {.code = OP_LOCK})}, .task_count = 1, .started = 1};
    const struct finding *finding = judge(&script, "");
    (void)state;
    assert_int_equal(finding->kind, FINDING_DEADLOCK);
    assert_string_equal(finding->text, "a task waits for itself");
    assert_int_equal(finding->wait_count, 1);
}

/* Task 2 wants to write and waits for both readers. Task 0, a reader, waits for a semaphore. Task
 * 1, a reader too, waits for the mutex of task 2. So tasks 1 and 2 are the cycle, although task 0
 * comes first. */
static void a_writer_waits_for_all_readers(void **state) {
    const struct script script = {
        .tasks = {TASK({.code = OP_READ_LOCK}, {.code = OP_SEM_WAIT}),
                  TASK({.code = OP_READ_LOCK}, {.code = OP_LOCK}),
                  TASK({.code = OP_LOCK}, {.code = OP_WRITE_LOCK})},
        .task_count = 3,
        .started = 7,
    };
    const struct finding *finding = judge(&script, "012");
    (void)state;
    assert_int_equal(finding->kind, FINDING_DEADLOCK);
    assert_string_equal(finding->text, "2 tasks wait for each other in a cycle; 1 more is blocked");
    assert_int_equal(finding->waits[0].task, 1);
    assert_int_equal(finding->waits[0].holder, 2);
    assert_int_equal(finding->waits[1].task, 2);
    assert_int_equal(finding->waits[1].holder, 1);
    assert_int_equal(finding->waits[2].task, 0);
}

/* Task 1 is parked in a spin, and the first task joins it. There is no cycle, so the spin is the
 * error. */
static void spinning_is_a_livelock(void **state) {
    const struct script script = {
        .tasks = {TASK({.code = OP_JOIN, .object = 1}),
                  TASK({.code = SCRIPT_AWAIT, .object = 0, .value = 1})},
        .task_count = 2,
        .started = 3,
    };
    const struct finding *finding = judge(&script, "");
    (void)state;
    assert_int_equal(finding->kind, FINDING_LIVELOCK);
    assert_string_equal(finding->text, "1 task spins on what nobody can change any more");
    assert_int_equal(finding->wait_count, 2);
}

/* If the process ends while tasks wait in a cycle, these tasks are blocked for ever. A task that
 * merely waits might have gone on, so it is no finding. */
static void the_end_of_the_process(void **state) {
    const struct script cycle = {
        .tasks = {TASK({.code = OP_YIELD}, {.code = OP_EXIT}),
                  TASK({.code = OP_LOCK, .object = 0}, {.code = OP_LOCK, .object = 1}),
                  TASK({.code = OP_LOCK, .object = 1}, {.code = OP_LOCK, .object = 0})},
        .task_count = 3,
        .started = 7,
    };
    const struct script waiting = {
        .tasks = {TASK({.code = OP_EXIT}), TASK({.code = OP_SEM_WAIT})},
        .task_count = 2,
        .started = 3,
    };
    (void)state;
    const struct finding *finding = judge(&cycle, "1200");
    assert_non_null(finding);
    assert_int_equal(finding->kind, FINDING_BLOCKED);
    assert_int_equal(finding->wait_count, 2);
    assert_null(judge(&cycle, "100"));
    assert_null(judge(&waiting, "0"));
}

/* No task is left, so there is no finding. */
static void an_ordinary_end(void **state) {
    const struct script script = {
        .tasks = {TASK({.code = OP_YIELD}), TASK({.code = OP_YIELD})},
        .task_count = 2,
        .started = 3,
    };
    (void)state;
    assert_null(judge(&script, ""));
}

/* The explorer collects the same kinds with and without a reduction. In ABBA, tasks 0 and 1 are in
 * a cycle, or one of them is blocked by a lock that was never released. */
static void through_the_explorer(void **state) {
    static const char *const strategies[] = {"dfs", "persistent"};
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct options options = search_options();
        struct search search;
        search_script(&abba, strategies[i], &options, &search);
        assert_true(search.exhausted && !search.diverged);
        assert_int_equal(search.findings[FINDING_BLOCKED], 1);
        assert_int_equal(search.findings[FINDING_DEADLOCK], 2);
        search_free(&search);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abba_is_a_cycle),
        cmocka_unit_test(a_lock_that_nobody_gives_back),
        cmocka_unit_test(the_first_task_blocked_is_a_deadlock),
        cmocka_unit_test(a_cycle_and_a_task_that_waits_for_it),
        cmocka_unit_test(a_task_may_wait_for_itself),
        cmocka_unit_test(a_writer_waits_for_all_readers),
        cmocka_unit_test(spinning_is_a_livelock),
        cmocka_unit_test(the_end_of_the_process),
        cmocka_unit_test(an_ordinary_end),
        cmocka_unit_test(through_the_explorer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
