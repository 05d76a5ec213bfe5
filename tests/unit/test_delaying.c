/* test_delaying.c - what explorers prescribe, and that one which leaves out a task is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include <heddle/machine.h>

#include "engine/strategy.h"
#include "strategies/delaying.h"

enum { TASKS = 5 };

/* A state in which the tasks of `enabled` can move and those of `blocked` cannot: bits. */
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

/* Each enabled task once, whatever explorer, by as many delays less one. */
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

/* Round robin: 1 goes on until it blocks; then 2; a delay brings 3; one that ends is not there any more. */
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

/* Run to completion: who is sent something moves next, and so does who was created. */
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
    delaying_delay(&delaying); /* behind all others */
    assert_int_equal(next_task(&delaying, &made.choice), 3);
}

/* A delay that only exchanges the first two never comes to the third. */
static void exchange(void *state) {
    struct heddle_order *order = state;
    uint16_t first = order->tasks[0];
    order->tasks[0] = order->tasks[1];
    order->tasks[1] = first;
}

static void who_leaves_out_a_task_is_named(void **state) {
    struct heddle_explorer broken = *explorer_named("rr");
    struct execution execution = {0};
    struct prescribed prescribed = {{0}};
    struct delaying delaying;
    struct made made;
    char text[200];
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
    delaying_complain(&delaying, choice, &prescribed, 7, text, sizeof text);
    assert_non_null(strstr(text, "'mine'"));
    assert_non_null(strstr(text, "step 7"));
    assert_non_null(strstr(text, "task 3"));
    /* With the other two blocked it does not come to an enabled task at all. */
    assert_int_equal(delaying_next(&delaying, make(&made, NO_TASK, 0x08, 0x06)), PICK_NOTHING);
    assert_false(prescribed_add(&prescribed, PICK_NOTHING));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_sound),
        cmocka_unit_test(round_robin_goes_round),
        cmocka_unit_test(receivers_run_first),
        cmocka_unit_test(who_leaves_out_a_task_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
