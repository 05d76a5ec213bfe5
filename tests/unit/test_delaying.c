/* test_delaying.c - the order of tasks that delaying explorers prescribe. An explorer that never
 * prescribes some enabled task is detected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include <heddle/machine.h>

#include "engine/strategy.h"
#include "strategies/delaying.h"
#include "event/event.h"

enum { TASKS = 5 };

/* A state in which the tasks of `enabled` can move and those of `blocked` cannot. Each bit stands
 * for a task. */
struct made {
    struct choice choice;
    struct pending pending[TASKS];
};

static const struct choice *make(struct made *made, uint32_t moved, uint32_t enabled,
                                 uint32_t blocked) {
    uint32_t live = 0;
    memset(made, 0, sizeof *made);
    for (uint32_t task = 0; task < TASKS; task++)
        if (enabled >> task & 1)
            made->pending[live++].task = task;
    made->choice.count = live;
    for (uint32_t task = 0; task < TASKS; task++)
        if (blocked >> task & 1)
            made->pending[live++].task = task;
    made->choice.live = live;
    made->choice.task = moved;
    made->choice.pending = made->pending;
    return &made->choice;
}

static uint32_t next_task(struct delaying *delaying, const struct choice *choice) {
    uint32_t option = delaying_next(delaying, choice);
    return option < choice->count ? choice->pending[option].task : NO_TASK;
}

/* Every explorer prescribes each enabled task once. For n enabled tasks this takes n - 1 delays. */
static void all_are_sound(void **state) {
    struct execution execution = {0};
    (void)state;
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        for (uint32_t enabled = 1; enabled < 1 << TASKS; enabled++) {
            struct delaying delaying;
            struct prescribed prescribed = {{0}};
            struct made made;
            const struct choice *choice = make(&made, NO_TASK, enabled, ~enabled);
            delaying_begin(&delaying, *at, 3);
            assert_true(delaying_tell(&delaying, choice, &execution));
            for (uint32_t i = 0; i < choice->count; i++) {
                if (i > 0)
                    delaying_delay(&delaying);
                assert_true(prescribed_add(&prescribed, delaying_next(&delaying, choice)));
            }
        }
}

/* Round robin: task 1 goes on until it blocks, then task 2 is next. A delay brings task 3. A task
 * that ended is skipped. */
static void round_robin_goes_round(void **state) {
    struct execution execution = {0};
    struct delaying delaying;
    struct made made;
    (void)state;
    delaying_begin(&delaying, explorer_named("rr"), 1);
    assert_true(delaying_tell(&delaying, make(&made, NO_TASK, 0x0e, 0x01), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 1);
    assert_true(delaying_tell(&delaying, make(&made, 1, 0x0e, 0x01), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 1);
    assert_true(delaying_tell(&delaying, make(&made, 1, 0x0c, 0x03), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 2);
    delaying_delay(&delaying);
    assert_int_equal(next_task(&delaying, &made.choice), 3);
    assert_true(delaying_tell(&delaying, make(&made, 3, 0x06, 0x01), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 1);
}

/* Run to completion: the receiver of a message moves next, and so does a created task. */
static void receivers_run_first(void **state) {
    static const struct machine_event ping = {.name = "PING"};
    struct event events[] = {
        {.op = {.kind = OP_SEND, .target = 3, .value = (uint64_t)&ping}, .task = 1},
        {.op = {.kind = OP_CREATE}, .task = 3, .result = 4}};
    struct execution execution = {.events = events};
    struct delaying delaying;
    struct made made;
    (void)state;
    delaying_begin(&delaying, explorer_named("rtc"), 1);
    assert_true(delaying_tell(&delaying, make(&made, NO_TASK, 0x0e, 0), &execution));
    execution.event_count = 1;
    assert_true(delaying_tell(&delaying, make(&made, 1, 0x0e, 0), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 3);
    execution.event_count = 2;
    assert_true(delaying_tell(&delaying, make(&made, 3, 0x1e, 0), &execution));
    assert_int_equal(next_task(&delaying, &made.choice), 4);
    delaying_delay(&delaying); /* the delay moves task 4 behind all others */
    assert_int_equal(next_task(&delaying, &made.choice), 3);
}

/* A broken delay: it only exchanges the first two tasks, so it never comes to the third. */
static void exchange(void *state) {
    struct heddle_order *order = state;
    uint16_t first = order->tasks[0];
    order->tasks[0] = order->tasks[1];
    order->tasks[1] = first;
}

static void an_explorer_that_leaves_out_a_task_is_named(void **state) {
    struct heddle_explorer broken = *explorer_named("rr");
    struct execution execution = {0};
    struct prescribed prescribed = {{0}};
    struct delaying delaying;
    struct made made;
    struct strategy strategy = {.inputs = &(const struct strategy_inputs){.execution = &execution}};
    char text[MISTAKE_TEXT];
    (void)state;
    broken.name = "mine";
    broken.delay = exchange;
    const struct choice *choice = make(&made, NO_TASK, 0x0e, 0);
    delaying_begin(&delaying, &broken, 1);
    assert_true(delaying_tell(&delaying, choice, &execution));
    assert_true(prescribed_add(&prescribed, delaying_next(&delaying, choice)));
    delaying_delay(&delaying);
    assert_true(prescribed_add(&prescribed, delaying_next(&delaying, choice)));
    delaying_delay(&delaying);
    assert_false(prescribed_add(&prescribed, delaying_next(&delaying, choice)));
    struct decision decisions[8] = {{.tag = CHOICE_SCHEDULE}}; /* seven steps, and a value */
    decisions[7].tag = CHOICE_VALUE;
    execution.decisions = decisions;
    execution.decision_count = 8;
    assert_int_equal(delaying_complain(&delaying, choice, &prescribed, &strategy, text),
                     PICK_MISTAKEN);
    assert_ptr_equal(strategy.mistake, text);
    assert_non_null(strstr(text, "'mine'"));
    assert_non_null(strstr(text, "step 7"));
    assert_non_null(strstr(text, "task 3"));
    /* If the other two tasks are blocked, this explorer does not come to an enabled task at all. */
    assert_int_equal(delaying_next(&delaying, make(&made, NO_TASK, 0x08, 0x06)), PICK_NOTHING);
    assert_false(prescribed_add(&prescribed, PICK_NOTHING));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_sound),
        cmocka_unit_test(round_robin_goes_round),
        cmocka_unit_test(receivers_run_first),
        cmocka_unit_test(an_explorer_that_leaves_out_a_task_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
