/* test_follow.c - following a recorded schedule as far as it fits: exactly if the program is
 * unchanged, otherwise past operations that were added or removed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event/op.h"
#include "event/op_kind.h"
#include "strategies/follow.h"

enum { STEPS_MAX = 16 };

/* Two tasks, each a list of operations. No task ever blocks. */
struct program {
    uint8_t kinds[2][STEPS_MAX];
    uint32_t counts[2];
};

/* Runs the program. `moves` receives the tasks that moved, one digit for each step. */
static void run(struct follow *follow, const struct program *program, char *moves) {
    uint32_t at[2] = {0, 0}, moved = 0;
    for (;;) {
        struct op ops[2];
        struct pending pending[2];
        struct choice choice = {.tag = CHOICE_SCHEDULE, .task = NO_TASK, .pending = pending};
        for (uint32_t task = 0; task < 2; task++) {
            if (at[task] == program->counts[task])
                continue;
            ops[task] = (struct op){.kind = program->kinds[task][at[task]]};
            pending[choice.count++] = (struct pending){.task = task, .op = &ops[task]};
        }
        choice.live = choice.count;
        if (choice.count == 0)
            break;
        uint32_t task = pending[follow_pick(follow, &choice)].task;
        moves[moved++] = (char)('0' + task);
        at[task]++;
    }
    moves[moved] = '\0';
}

/* The schedule 0 1 0 1 of two tasks that lock and unlock. */
static const struct decision wishes[] = {
    {.chosen = 0, .count = 2, .tag = CHOICE_SCHEDULE},
    {.chosen = 1, .count = 2, .tag = CHOICE_SCHEDULE},
    {.chosen = 0, .count = 2, .tag = CHOICE_SCHEDULE},
    {.chosen = 1, .count = 2, .tag = CHOICE_SCHEDULE},
};
static const uint8_t kinds[] = {OP_LOCK, OP_LOCK, OP_UNLOCK, OP_UNLOCK};

static void expect(const struct program *program, const char *expected, uint32_t skipped) {
    char moves[2 * STEPS_MAX + 1];
    struct follow follow;
    follow_begin(&follow, wishes, 4);
    follow.kinds = kinds;
    run(&follow, program, moves);
    assert_string_equal(moves, expected);
    assert_int_equal(follow.skipped + follow.count - follow.position, skipped);
}

static void test_unchanged(void **state) {
    (void)state;
    const struct program program = {{{OP_LOCK, OP_UNLOCK}, {OP_LOCK, OP_UNLOCK}}, {2, 2}};
    expect(&program, "0101", 0);
}

/* Operations that were added come first, and use up no wish of the schedule. */
static void test_put_in(void **state) {
    (void)state;
    const struct program before = {{{OP_STORE, OP_STORE, OP_LOCK, OP_UNLOCK}, {OP_LOCK, OP_UNLOCK}},
                                   {4, 2}};
    const struct program between = {{{OP_LOCK, OP_UNLOCK}, {OP_LOCK, OP_STORE, OP_UNLOCK}}, {2, 3}};
    expect(&before, "000101", 0);
    expect(&between, "01011", 0);
}

static void test_taken_out(void **state) {
    (void)state;
    const struct program program = {{{OP_UNLOCK}, {OP_LOCK, OP_UNLOCK}}, {1, 2}};
    expect(&program, "101", 1);
}

/* The schedule does not wait for ever for a task that does something else. */
static void test_another_program(void **state) {
    (void)state;
    struct program program = {{{0}, {OP_LOCK, OP_UNLOCK}}, {STEPS_MAX, 2}};
    for (uint32_t i = 0; i < STEPS_MAX; i++)
        program.kinds[0][i] = OP_YIELD;
    char moves[2 * STEPS_MAX + 1];
    struct follow follow;
    follow_begin(&follow, wishes, 4);
    follow.kinds = kinds;
    run(&follow, &program, moves);
    assert_int_equal(follow.skipped + follow.count - follow.position, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged),
        cmocka_unit_test(test_put_in),
        cmocka_unit_test(test_taken_out),
        cmocka_unit_test(test_another_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
