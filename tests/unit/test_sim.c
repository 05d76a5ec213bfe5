/* test_sim.c - the parts of the simulator that need no program: the list of decisions with undo and
 * redo (line.h), patterns and goals (pattern.h), and which task moves if the user names none
 * (turn.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli/sim/line.h"
#include "cli/sim/pattern.h"
#include "cli/sim/turn.h"
#include "event/event.h"

/* --- the line of decisions --- */

static struct decision schedule(uint32_t task) {
    return (struct decision){.chosen = task, .count = 2, .tag = CHOICE_SCHEDULE};
}

static void undone_decisions_stay(void **state) {
    struct line line = {0};
    (void)state;
    assert_null(line_next(&line));
    line_decide(&line, schedule(0));
    line_decide(&line, schedule(1));
    line_decide(&line, schedule(0));
    line.at = 1;
    assert_int_equal(line_next(&line)->chosen, 1);
    line_decide(&line, schedule(1)); /* the same as before the undo: the decisions after it stay */
    assert_int_equal(line.count, 3);
    assert_int_equal(line_next(&line)->chosen, 0);
    line_decide(&line, schedule(1)); /* another decision: those after it are dropped */
    assert_int_equal(line.count, 3);
    assert_null(line_next(&line));
    line.at = 0;
    line_decide(&line, schedule(1));
    assert_int_equal(line.count, 1);
    line_destroy(&line);
}

static void a_trace_lies_ahead(void **state) {
    const struct decision decisions[] = {{.chosen = 0, .count = 1, .tag = CHOICE_SCHEDULE},
                                         {.chosen = 1, .count = 2, .tag = CHOICE_SCHEDULE},
                                         {.chosen = 2, .count = 3, .tag = CHOICE_VALUE}};
    struct line line = {0};
    (void)state;
    line_load(&line, decisions, 3);
    assert_int_equal(line.at, 0);
    for (uint32_t i = 0; i < 3; i++)
        line_decide(&line, *line_next(&line));
    assert_int_equal(line.count, 3);
    assert_null(line_next(&line));
    line_destroy(&line);
}

static void a_step_begins_with_a_schedule(void **state) {
    const struct decision decisions[] = {{.chosen = 0, .count = 1, .tag = CHOICE_SCHEDULE},
                                         {.chosen = 1, .count = 2, .tag = CHOICE_SCHEDULE},
                                         {.chosen = 2, .count = 3, .tag = CHOICE_VALUE},
                                         {.chosen = 0, .count = 2, .tag = CHOICE_WAKE}};
    struct line line = {0};
    (void)state;
    line_load(&line, decisions, 4);
    assert_int_equal(line_step(&line, 0), 0);
    assert_int_equal(line_step(&line, 1), 0);
    assert_int_equal(line_step(&line, 2), 1);
    assert_int_equal(line_step(&line, 3), 1);
    assert_int_equal(line_step(&line, 4), 1);
    line_destroy(&line);
}

/* --- patterns --- */

static const struct operation_text lock_fork = {.task = 2,
                                                .task_function = "philosopher",
                                                .kind = "lock",
                                                .object = "forks[2]",
                                                .object2 = "",
                                                .file = "dining.c",
                                                .function = "eat",
                                                .line = 31};

static void every_word_must_match(void **state) {
    static const char *const yes[] = {
        "lock",     "T2",  "philosopher", "forks[2]",   "forks*", "dining.c:31", ":31",
        "dining.c", "eat", "lock T2",     " T2  lock ", "*.c:3?", "T2 lock :31", "lock forks[2]"};
    static const char *const no[] = {"",       " ",     "unlock", "T1",          "T",
                                     "forks",  ":3",    ":311",   "table.c:31",  "lock T1",
                                     "lock x", "locks", "31",     "dining.c:30", "T2 unlock"};
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!pattern_matches(yes[i], &lock_fork))
            fail_msg("'%s' does not match", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (pattern_matches(no[i], &lock_fork))
            fail_msg("'%s' matches", no[i]);
}

static void kinds_have_several_words(void **state) {
    struct operation_text wait = lock_fork;
    (void)state;
    wait.kind = "cond wait";
    wait.object2 = "mutex";
    assert_true(pattern_matches("cond", &wait));
    assert_true(pattern_matches("wait cond", &wait));
    assert_true(pattern_matches("wait mutex", &wait));
    assert_false(pattern_matches("wake", &wait));
}

/* If nothing is known of the place, its empty texts match no pattern. */
static void unknown_texts_do_not_match(void **state) {
    const struct operation_text bare = {.task_function = "",
                                        .kind = "yield",
                                        .object = "",
                                        .object2 = "",
                                        .file = "",
                                        .function = ""};
    (void)state;
    assert_true(pattern_matches("yield", &bare));
    assert_true(pattern_matches("T0 *", &bare));
    assert_false(pattern_matches("main.c", &bare));
    assert_false(pattern_matches("main.c:0", &bare));
}

static void breakpoints_are_a_list(void **state) {
    struct breakpoints breakpoints = {0};
    char pattern[16];
    (void)state;
    assert_null(breakpoints_find(&breakpoints, &lock_fork));
    assert_false(breakpoints_add(&breakpoints, "  "));
    assert_true(breakpoints_add(&breakpoints, "unlock"));
    assert_true(breakpoints_add(&breakpoints, "lock T2"));
    assert_true(breakpoints_add(&breakpoints, "lock T2")); /* a pattern is kept once */
    assert_int_equal(breakpoints.count, 2);
    assert_string_equal(breakpoints_find(&breakpoints, &lock_fork), "lock T2");
    breakpoints_remove(&breakpoints, 0);
    assert_string_equal(breakpoints.patterns[0], "lock T2");
    breakpoints_remove(&breakpoints, 7); /* no such breakpoint */
    breakpoints_remove(&breakpoints, 0);
    assert_null(breakpoints_find(&breakpoints, &lock_fork));
    for (int i = 0; i < BREAKPOINTS_MAX; i++) {
        snprintf(pattern, sizeof pattern, ":%d", i);
        assert_true(breakpoints_add(&breakpoints, pattern));
    }
    assert_false(breakpoints_add(&breakpoints, "one more"));
}

/* --- goals --- */

static void goals_are_numbers_or_words(void **state) {
    struct goal goal;
    (void)state;
    assert_true(goal_parse(&goal, ""));
    assert_int_equal(goal.kind, GOAL_END);
    assert_true(goal_parse(&goal, "finding"));
    assert_int_equal(goal.kind, GOAL_END);
    assert_false(goal_reached(&goal, 1000, &lock_fork));
    assert_true(goal_parse(&goal, " 3 "));
    assert_int_equal(goal.kind, GOAL_STEPS);
    assert_false(goal_reached(&goal, 2, &lock_fork));
    assert_true(goal_reached(&goal, 3, &lock_fork));
    assert_true(goal_parse(&goal, "T2 lock"));
    assert_int_equal(goal.kind, GOAL_MATCH);
    assert_true(goal_reached(&goal, 0, &lock_fork));
    assert_false(
        goal_reached(&goal, 0, NULL)); /* at the start of the run, no operation has happened yet */
    assert_false(goal_parse(&goal, "0"));
    assert_false(goal_parse(&goal, "3x"));
    assert_false(goal_parse(&goal, "99999999999999999999"));
}

/* --- turns --- */

static void the_task_that_moved_goes_on(void **state) {
    struct dialogue_task live[] = {{.task = 1}, {.task = 3}, {.task = 7}, {.task = 0}, {.task = 5}};
    struct dialogue dialogue = {.count = 3, .live_count = 5, .live = live, .task = 3};
    (void)state;
    assert_int_equal(turn_pick(&dialogue, false), 1); /* T3 moved last, so it goes on */
    assert_int_equal(turn_pick(&dialogue, true), 2);  /* T3 gives way to T7 */
    dialogue.task = 7;
    /* after the last enabled task comes the first one: T1 */
    assert_int_equal(turn_pick(&dialogue, true), 0);
    /* T5 moved last and is blocked now: the next enabled task by number is T7 */
    dialogue.task = 5;
    assert_int_equal(turn_pick(&dialogue, false), 2);
    dialogue.task = NO_TASK;
    assert_int_equal(turn_pick(&dialogue, false), 0);
}

static void yields_and_sleeps_give_way(void **state) {
    (void)state;
    assert_true(turn_gives_way(&(struct event){.op.kind = OP_YIELD}));
    assert_true(turn_gives_way(&(struct event){.op.kind = OP_SLEEP}));
    assert_false(turn_gives_way(&(struct event){.op.kind = OP_LOCK}));
    assert_false(turn_gives_way(&(struct event){.op.kind = OP_YIELD, .flags = EVENT_NOTE}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undone_decisions_stay),
        cmocka_unit_test(a_trace_lies_ahead),
        cmocka_unit_test(a_step_begins_with_a_schedule),
        cmocka_unit_test(every_word_must_match),
        cmocka_unit_test(kinds_have_several_words),
        cmocka_unit_test(unknown_texts_do_not_match),
        cmocka_unit_test(breakpoints_are_a_list),
        cmocka_unit_test(goals_are_numbers_or_words),
        cmocka_unit_test(the_task_that_moved_goes_on),
        cmocka_unit_test(yields_and_sleeps_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
