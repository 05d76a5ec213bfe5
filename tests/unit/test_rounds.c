/* test_rounds.c - tests the detection of tasks that go round in a loop (engine/rounds.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "engine/rounds.h"
#include "event/event.h"

enum { EVENTS_MAX = 4096, LOCKS = 0x100, TRIES, UNLOCKS };

struct story {
    struct event events[EVENTS_MAX];
    struct execution execution;
};

static void begin(struct story *story) {
    memset(story, 0, sizeof *story);
    story->execution.events = story->events;
}

static void add(struct story *story, uint32_t task, uint64_t pc, enum op_kind kind) {
    assert_true(story->execution.event_count < EVENTS_MAX);
    story->events[story->execution.event_count++] =
        (struct event){.op = {.kind = kind, .pc = pc}, .task = task};
}

/* Adds `count` events of the task, each at a place of its own. */
static void go_straight(struct story *story, uint32_t task, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        add(story, task, 0x10000 + story->execution.event_count, OP_STORE);
}

/* Adds one round of a loop: the task locks, fails to get a second lock, and unlocks. */
static void back_off(struct story *story, uint32_t task) {
    add(story, task, LOCKS, OP_LOCK);
    add(story, task, TRIES, OP_TRYLOCK);
    add(story, task, UNLOCKS, OP_UNLOCK);
}

static void both_back_off(struct story *story, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        back_off(story, 2);
        back_off(story, 1);
    }
}

static void a_loop_is_seen(void **state) {
    struct story story;
    struct rounds rounds = {0};
    (void)state;
    begin(&story);
    go_straight(&story, 0, 30);
    both_back_off(&story, 20);
    go_straight(&story, 1, 10);
    rounds_look(&rounds, &story.execution, 7);
    assert_int_equal(rounds.execution, 7);
    assert_int_equal(rounds.steps, 160);
    assert_int_equal(rounds.task_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct rounds_task *row = &rounds.tasks[i];
        static const uint64_t pcs[] = {LOCKS, TRIES, UNLOCKS};
        static const enum op_kind kinds[] = {OP_LOCK, OP_TRYLOCK, OP_UNLOCK};
        assert_int_equal(row->task, 1 + i);
        assert_int_equal(row->place_count, 3);
        for (uint32_t at = 0; at < 3; at++) {
            uint32_t same = 0;
            while (pcs[same] != row->places[at].pc)
                assert_true(++same < 3);
            assert_int_equal(row->places[at].kind, kinds[same]);
            /* Only the second half of the 160 events is examined. It has the last 70 events of the
             * loop, and 10 straight ones. The loop has 3 places in each of 2 tasks: 70 / 6 each. */
            assert_in_range(row->places[at].count, 70 / 6, 70 / 6 + 1);
        }
    }
}

static void places_that_come_once_are_no_loop(void **state) {
    struct story story;
    struct rounds rounds = {0};
    (void)state;
    begin(&story);
    go_straight(&story, 0, 3000);
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.steps, 3000);
    assert_int_equal(rounds.task_count, 0);
    assert_false(rounds_grow(&rounds));
}

/* There is room for ROUNDS_TASKS tasks with ROUNDS_PLACES places each; here are more. Notes and
 * invalid kinds do not count. */
static void too_much_is_left_out(void **state) {
    struct story story;
    struct rounds rounds = {0};
    (void)state;
    begin(&story);
    for (uint32_t i = 0; i < 40 * (ROUNDS_TASKS + 3); i++)
        add(&story, i % (ROUNDS_TASKS + 3), LOCKS, OP_LOCK);
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.task_count, ROUNDS_TASKS);
    begin(&story);
    for (uint32_t i = 0; i < 20 * (ROUNDS_PLACES + 5); i++)
        add(&story, 0, LOCKS + i % (ROUNDS_PLACES + 5), OP_LOCK);
    rounds = (struct rounds){0};
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.task_count, 1);
    assert_int_equal(rounds.tasks[0].place_count, ROUNDS_PLACES);
    begin(&story);
    for (uint32_t i = 0; i < 200; i++)
        add(&story, 0, LOCKS, i % 2 ? OP_KINDS : OP_LOCK);
    for (uint32_t i = 0; i < 200; i += 2)
        story.events[i].flags = EVENT_NOTE;
    rounds = (struct rounds){0};
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.task_count, 0);
}

/* The executions of this search get longer: 6 steps, then 240 and more. */
static void longer_ones_are_looked_at(void **state) {
    struct story story;
    struct rounds rounds = {0};
    (void)state;
    begin(&story);
    both_back_off(&story, 1);
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.first_steps, 6);
    assert_int_equal(rounds.steps, 0);
    both_back_off(&story, 39);
    rounds_look(&rounds, &story.execution, 40);
    assert_int_equal(rounds.steps, 240);
    assert_true(rounds_grow(&rounds));
    both_back_off(&story, 9); /* 49 rounds of 6 steps: 294, not yet a quarter more than 240 */
    rounds_look(&rounds, &story.execution, 49);
    assert_int_equal(rounds.steps, 240);
    both_back_off(&story, 1);
    rounds_look(&rounds, &story.execution, 50);
    assert_int_equal(rounds.steps, 300);
    assert_int_equal(rounds.execution, 50);
    assert_int_equal(rounds.first_steps, 6);
}

/* The first execution is already long. The second is only twice as long, so the loop may be one
 * that ends, and no growth is reported. */
static void a_long_first_one_does_not_grow(void **state) {
    struct story story;
    struct rounds rounds = {0};
    (void)state;
    begin(&story);
    both_back_off(&story, 40);
    rounds_look(&rounds, &story.execution, 1);
    assert_int_equal(rounds.task_count, 2);
    assert_false(rounds_grow(&rounds));
    both_back_off(&story, 40);
    rounds_look(&rounds, &story.execution, 2);
    assert_int_equal(rounds.steps, 480);
    assert_false(rounds_grow(&rounds));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_seen),
        cmocka_unit_test(places_that_come_once_are_no_loop),
        cmocka_unit_test(too_much_is_left_out),
        cmocka_unit_test(longer_ones_are_looked_at),
        cmocka_unit_test(a_long_first_one_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
