/* test_op_kinds.c - the facts of op_kinds.def against what scripted operations do, and against each
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "event/dependence.h"
#include "substrates/scripted/effects.h"
#include "unit/answering.h"
#include "unit/harness.h"
#include "unit/random_script.h"

enum { PROGRAMS = 3000, STEPS_MAX = 60 };

/* --- blocking ------------------------------------------------------------------------------- */

/* Counts the kinds in front of which tasks are blocked. A parked task stands in front of a kind
 * that never blocks. */
static void count_blocked(const struct choice *choice, uint32_t *blocked) {
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (!choice->pending[i].idle)
            blocked[choice->pending[i].op->kind]++;
}

static void walk(const struct script *script, struct random *random, uint32_t *blocked) {
    struct answering host;
    struct scripted system;
    struct choice choice;
    answering_init(&host);
    scripted_init(&system, script);
    system.base.ops->start(&system.base, &host.base);
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        if (system.base.ops->outcome(&system.base) != OUTCOME_RUNNING)
            break;
        system.base.ops->pending(&system.base, &choice);
        count_blocked(&choice, blocked);
        if (choice.count == 0)
            break;
        host.asked = 0;
        for (uint32_t k = 0; k < ANSWERS; k++)
            host.answers[k] = random_below(random, 8);
        scripted_step(&system, choice.pending[random_below(random, choice.count)].task);
    }
}

/* Mailboxes of scripts have room for all messages: a send never waits there. */
static bool can_block_in_scripts(enum op_kind kind) {
    return op_blocks(kind) && script_effects[kind].perform != NULL && kind != OP_SEND;
}

static void a_kind_blocks_if_scripts_can_be_blocked_by_it(void **state) {
    struct random random;
    struct random_script program;
    uint32_t blocked[OP_KINDS] = {0};
    (void)state;
    random_seed(&random, 5);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        random_script(&program, &random, FLAVOUR_SEARCH, 2 + random_below(&random, 4), 6);
        walk(&program.script, &random, blocked);
    }
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        if ((blocked[kind] > 0) != can_block_in_scripts(kind))
            fail_msg("%s: blocked a task %u times", op_info(kind)->name, blocked[kind]);
}

static void a_kind_blocks_if_its_effect_says_when(void **state) {
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        assert_int_equal(script_effects[kind].enabled != NULL, can_block_in_scripts(kind));
}

/* --- facts among each other ----------------------------------------------------------------- */

static void sleepers_have_wakers(void **state) {
    bool sleeps[OP_SUBJECTS] = {0}, wakes[OP_SUBJECTS] = {0};
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++) {
        sleeps[op_info(kind)->about] |= op_has(kind, SLEEPS);
        wakes[op_info(kind)->about] |= op_has(kind, WAKES);
    }
    for (uint32_t i = 0; i < OP_SUBJECTS; i++)
        assert_int_equal(sleeps[i], wakes[i]);
}

static void acquired_objects_are_released(void **state) {
    bool acquires[OP_SUBJECTS] = {0}, releases[OP_SUBJECTS] = {0};
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++) {
        acquires[op_info(kind)->about] |= op_has(kind, ACQUIRES);
        releases[op_info(kind)->about] |= op_has(kind, RELEASES);
    }
    for (uint32_t i = 0; i < OP_SUBJECTS; i++)
        assert_int_equal(acquires[i], releases[i]);
}

/* A task that polls may be parked. Then it waits for more than its operation says. */
static void polls_have_no_known_wait(void **state) {
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++)
        assert_false(op_has(kind, POLLS) && op_wait_is_known(kind));
}

/* Two operations of one kind on the same object. */
static void only_kinds_that_commute_are_independent_of_themselves(void **state) {
    (void)state;
    for (enum op_kind kind = 0; kind < OP_KINDS; kind++) {
        const struct op op = {.kind = kind, .object = 0x1000, .size = 8, .target = 1};
        bool writes = op_info(kind)->effect == EFFECT_WRITE;
        assert_int_equal(dependent(&op, &op), writes && !op_has(kind, COMMUTES));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_blocks_if_scripts_can_be_blocked_by_it),
        cmocka_unit_test(a_kind_blocks_if_its_effect_says_when),
        cmocka_unit_test(sleepers_have_wakers),
        cmocka_unit_test(acquired_objects_are_released),
        cmocka_unit_test(polls_have_no_known_wait),
        cmocka_unit_test(only_kinds_that_commute_are_independent_of_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
