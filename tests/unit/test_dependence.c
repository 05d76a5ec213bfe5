/* test_dependence.c - the dependence relation against the program (STYLE habit 10): wherever two
 * enabled operations count as independent, both orders from the same state lead to the same states,
 * with whatever values their choices get, and neither enables or disables the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "event/dependence.h"
#include "unit/answering.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 10000, STEPS_MAX = 60 };

/* --- both orders ---------------------------------------------------------------------------- */

struct pair_test {
    struct scripted *system;
    struct answering *host;
    struct script_state from;
    uint32_t tasks[2]; /* in the order in which they move */
};

static void restore(struct pair_test *test) {
    memcpy(&test->system->state, &test->from, sizeof test->from);
    scripted_restored(test->system);
}

/* All states after both have moved. A step that ends the execution ends the comparison: that it does
 * so in either order is what sleep sets need, and it depends on its own task only. */
static bool states_after(struct pair_test *test, struct set *states) {
    answers_first(test->host);
    do {
        restore(test);
        for (uint32_t i = 0; i < 2; i++) {
            assert_true(scripted_enabled(test->system, test->tasks[i]));
            scripted_step(test->system, test->tasks[i]);
            if (test->system->state.outcome != OUTCOME_RUNNING)
                return false;
        }
        set_add(states, scripted_fingerprint(test->system));
    } while (answers_next(test->host));
    set_close(states);
    return true;
}

static bool same_op(const struct op *a, const struct op *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Whoever did not move is as enabled as before, and stands at the same operation: if one of the two
 * could change that, they would be dependent. */
static void check_undisturbed(struct pair_test *test, uint32_t mover, uint32_t other) {
    answers_first(test->host);
    do {
        restore(test);
        struct op before = test->system->ops[other];
        bool enabled = scripted_enabled(test->system, other);
        scripted_step(test->system, mover);
        if (test->system->state.outcome != OUTCOME_RUNNING)
            return;
        assert_int_equal(scripted_enabled(test->system, other), enabled);
        assert_true(same_op(&before, &test->system->ops[other]));
    } while (answers_next(test->host));
}

/* 1 if the pair was independent and compared. */
static uint32_t check_pair(struct scripted *system, struct answering *host, uint32_t a,
                           uint32_t b) {
    struct pair_test test = {.system = system, .host = host, .tasks = {a, b}};
    struct set first = {0}, second = {0};
    struct scripted saved = *system;
    bool symmetric =
        dependent(&system->ops[a], &system->ops[b]) == dependent(&system->ops[b], &system->ops[a]);
    assert_true(symmetric);
    if (dependent(&system->ops[a], &system->ops[b]))
        return 0;
    memcpy(&test.from, &system->state, sizeof test.from);
    check_undisturbed(&test, a, b);
    check_undisturbed(&test, b, a);
    bool compared = states_after(&test, &first);
    test.tasks[0] = b;
    test.tasks[1] = a;
    compared = states_after(&test, &second) && compared;
    if (compared && !set_equal(&first, &second)) {
        print_script(system->script);
        fail_msg("%s of task %u and %s of task %u do not commute", op_info(saved.ops[a].kind)->name,
                 a, op_info(saved.ops[b].kind)->name, b);
    }
    restore(&test);
    set_free(&first);
    set_free(&second);
    return compared;
}

/* Disabled tasks: an independent operation must not enable one. Exactly one pair is not covered, and
 * need not be for sleep sets: the last step of a task enables a join of it. */
static void check_blocked(struct scripted *system, struct answering *host, uint32_t mover,
                          uint32_t blocked) {
    struct pair_test test = {.system = system, .host = host};
    const struct op *op = &system->ops[blocked];
    if (dependent(&system->ops[mover], op) || (op->kind == OP_JOIN && op->target == mover))
        return;
    memcpy(&test.from, &system->state, sizeof test.from);
    check_undisturbed(&test, mover, blocked);
    restore(&test);
}

static uint32_t check_state(struct scripted *system, struct answering *host,
                            const struct choice *choice) {
    uint32_t compared = 0, tasks[SCRIPT_TASKS];
    for (uint32_t i = 0; i < choice->live; i++)
        tasks[i] = choice->pending[i].task;
    for (uint32_t i = 0; i < choice->count; i++) {
        for (uint32_t k = i + 1; k < choice->count; k++)
            compared += check_pair(system, host, tasks[i], tasks[k]);
        for (uint32_t k = choice->count; k < choice->live; k++)
            check_blocked(system, host, tasks[i], tasks[k]);
    }
    return compared;
}

/* A random walk, with every pair compared in every state. */
static uint32_t walk(const struct script *script, struct random *random) {
    struct answering host;
    struct scripted system;
    struct choice choice;
    uint32_t compared = 0;
    answering_init(&host);
    scripted_init(&system, script);
    system.base.ops->start(&system.base, &host.base);
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        if (system.base.ops->outcome(&system.base) != OUTCOME_RUNNING)
            break;
        system.base.ops->pending(&system.base, &choice);
        if (choice.count == 0)
            break;
        compared += check_state(&system, &host, &choice);
        host.asked = 0;
        for (uint32_t k = 0; k < ANSWERS; k++)
            host.answers[k] = random_below(random, 8);
        scripted_step(&system, choice.pending[random_below(random, choice.count)].task);
    }
    return compared;
}

static void independent_operations_commute(void **state) {
    struct random random;
    struct random_script program;
    uint32_t compared = 0;
    (void)state;
    random_seed(&random, 10);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        random_script(&program, &random, FLAVOUR_SEARCH, 2 + random_below(&random, 4), 6);
        compared += walk(&program.script, &random);
    }
    print_message("%u pairs compared\n", compared);
    assert_true(compared > PROGRAMS);
}

/* Byte ranges that touch are independent, those that overlap are not; two reads never are dependent. */
static void memory_overlaps(void **state) {
    struct op store = {.kind = OP_STORE, .size = 4, .object = 100};
    (void)state;
    for (uint64_t at = 90; at < 110; at++) {
        struct op load = {.kind = OP_LOAD, .size = 2, .object = at};
        struct op other = {.kind = OP_VOLATILE_READ, .size = 8, .object = at};
        assert_int_equal(dependent(&store, &load), at >= 99 && at < 104);
        assert_false(dependent(&load, &other));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_overlaps),
        cmocka_unit_test(independent_operations_commute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
