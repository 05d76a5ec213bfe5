/* test_dependence.c - the dependence relation, tested against the program (STYLE habit 10). If two
 * enabled operations count as independent, then both orders from the same state must lead to the
 * same states for all values of their choices, and neither operation may enable or disable the
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "event/dependence.h"
#include "event/object.h"
#include "event/touch.h"
#include "unit/answering.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 10000, STEPS_MAX = 60 };

/* --- both orders ---------------------------------------------------------------------------- */

struct pair_test {
    struct scripted *system;
    struct answering *host;
    struct script_state from;
    uint32_t tasks[2]; /* the two tasks, in the order in which they move */
};

static void restore(struct pair_test *test) {
    memcpy(&test->system->state, &test->from, sizeof test->from);
    scripted_restored(test->system);
}

/* Collects all states after both tasks have moved. A step that ends the execution ends the
 * comparison and returns false. Sleep sets only need that such a step ends the execution in either
 * order, and this depends on its own task alone. */
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

/* The task that did not move must be as enabled as before, and must stand at the same operation. If
 * the mover could change that, the two operations would be dependent. */
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

/* Returns 1 if the pair was independent and was compared. */
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

/* An independent operation must not enable a disabled task. One pair is left out, because sleep
 * sets do not need it: the last step of a task enables a join of this task. */
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

/* Takes a random walk and compares every pair of tasks in every state. */
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

/* Byte ranges that only touch are independent, and those that overlap are dependent. Two reads are
 * never dependent. */
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

static bool share_a_key(const struct op *a, const struct op *b) {
    struct touch_keys x, y;
    touch_keys_of(a, &x);
    touch_keys_of(b, &y);
    for (uint32_t i = 0; i < x.count; i++)
        for (uint32_t k = 0; k < y.count; k++)
            if (x.keys[i] == y.keys[k])
                return true;
    return false;
}

static bool is_about_an_object(enum op_kind kind) {
    return op_info(kind)->class == CLASS_MEMORY || op_info(kind)->class == CLASS_OBJECT;
}

/* The same address in each of three spaces: the operations depend on each other exactly if the
 * space is the same. */
static void objects_of_two_spaces_are_different(void **state) {
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        for (uint32_t i = 0; i < 9; i++) {
            const uint64_t a = object_in_space(i / 3, 0x7fff12345678),
                           b = object_in_space(i % 3, 0x7fff12345678);
            const struct event one = {.op = {.kind = kind, .size = 8, .object = a}, .task = 0},
                               other = {.op = {.kind = kind, .size = 8, .object = b}, .task = 1};
            bool conflict = op_info(kind)->effect == EFFECT_WRITE && !op_has(kind, COMMUTES);
            if (!is_about_an_object(kind))
                continue;
            assert_int_equal(dependent(&one.op, &other.op), a == b && conflict);
            assert_int_equal(share_a_key(&one.op, &other.op), a == b);
            if (a != b)
                assert_false(dependent_events(&one, &other));
        }
}

static void an_object_has_an_address_in_a_space(void **state) {
    (void)state;
    for (uint32_t space = 0; space < OBJECT_SPACES; space++) {
        uint64_t object = object_in_space(space, 0x7fff12345678);
        assert_int_equal(object_space(object), space);
        assert_int_equal(object_address(object), 0x7fff12345678);
    }
    assert_int_equal(object_in_space(0, 0x1000), 0x1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_overlaps),
        cmocka_unit_test(objects_of_two_spaces_are_different),
        cmocka_unit_test(an_object_has_an_address_in_a_space),
        cmocka_unit_test(independent_operations_commute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
