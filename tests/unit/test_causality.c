/* test_causality.c - the causal order of an execution's events, and its arrows. They are compared
 * with small stories and, for random stories, with the definition: the transitive closure of
 * program order and dependence, computed pair by pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "event/dependence.h"
#include "execution/causality.h"
#include "story.h"

enum { X = 0x1000, Y = 0x2000, MUTEX = 0x3000, BOX = 0x4000 };

static void put_in_order(struct causality *causality, const struct story *story,
                         enum causality_sends sends) {
    const struct events events = story_events(story);
    causality_init(causality, story->pool, &events, sends);
}

static uint32_t count_arrows(const struct causality *causality, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < causality->arrow_count; i++)
        count += causality->arrows[i].from == from && causality->arrows[i].to == to;
    return count;
}

static void locks_hand_over(void **state) {
    (void)state;
    struct story story;
    struct causality causality;
    story_begin(&story, 3);
    uint32_t lock = tell(&story, 1, OP_LOCK, MUTEX);
    uint32_t other = tell(&story, 2, OP_LOAD, X);
    uint32_t unlock = tell(&story, 1, OP_UNLOCK, MUTEX);
    uint32_t second = tell(&story, 2, OP_LOCK, MUTEX);
    put_in_order(&causality, &story, SENDS_ORDERED);
    assert_true(causality.complete);
    assert_true(causality_before(&causality, lock, second));
    assert_true(causality_before(&causality, other, second)); /* both are of one task */
    assert_false(causality_before(&causality, second, lock));
    assert_false(causality_before(&causality, lock, other));
    assert_false(causality_before(&causality, lock, lock));
    /* Only one arrow: that the first lock comes before the second follows from it. */
    assert_int_equal(causality.arrow_count, 1);
    assert_int_equal(count_arrows(&causality, unlock, second), 1);
    causality_destroy(&causality);
    story_end(&story);
}

static void creation_and_join(void **state) {
    (void)state;
    struct story story;
    struct causality causality;
    story_begin(&story, 2);
    uint32_t create = tell(&story, 0, OP_CREATE, 0);
    story.events[create].op.target = NO_TASK;
    story.events[create].result = 1;
    uint32_t first = tell(&story, 1, OP_LOAD, X);
    uint32_t last = tell(&story, 1, OP_LOAD, Y);
    uint32_t join = tell(&story, 0, OP_JOIN, 0);
    story.events[join].op.target = 1;
    put_in_order(&causality, &story, SENDS_ORDERED);
    assert_int_equal(causality.arrow_count, 2);
    assert_int_equal(count_arrows(&causality, create, first), 1);
    assert_int_equal(causality.arrows[0].kind, ARROW_CREATE);
    assert_int_equal(count_arrows(&causality, last, join), 1);
    assert_int_equal(causality.arrows[1].kind, ARROW_JOIN);
    causality_destroy(&causality);
    story_end(&story);
}

/* A message has its own arrow even if other arrows lead the same way. Notes have no arrows. */
static void messages(void **state) {
    (void)state;
    struct story story;
    struct causality causality;
    story_begin(&story, 3);
    uint32_t send = tell(&story, 1, OP_SEND, BOX);
    tell_message(&story, 1);
    uint32_t unlock = tell(&story, 1, OP_UNLOCK, MUTEX);
    uint32_t note = tell(&story, 0, OP_LOAD, X);
    story.events[note].flags = EVENT_NOTE;
    uint32_t lock = tell(&story, 0, OP_LOCK, MUTEX);
    uint32_t receive = tell(&story, 0, OP_RECEIVE, BOX);
    tell_message(&story, 1);
    put_in_order(&causality, &story, SENDS_ORDERED);
    assert_int_equal(causality.arrow_count, 2);
    assert_int_equal(count_arrows(&causality, unlock, lock), 1);
    assert_int_equal(count_arrows(&causality, send, receive), 1);
    assert_int_equal(causality.arrows[1].kind, ARROW_MESSAGE);
    causality_destroy(&causality);
    story_end(&story);
}

/* Two sends to one mailbox are ordered with SENDS_ORDERED, and not with SENDS_FREE. */
static void sends(void **state) {
    (void)state;
    struct story story;
    struct causality causality;
    story_begin(&story, 3);
    uint32_t first = tell(&story, 1, OP_SEND, BOX);
    tell_message(&story, 1);
    uint32_t second = tell(&story, 2, OP_SEND, BOX);
    tell_message(&story, 2);
    put_in_order(&causality, &story, SENDS_ORDERED);
    assert_true(causality_before(&causality, first, second));
    causality_destroy(&causality);
    put_in_order(&causality, &story, SENDS_FREE);
    assert_false(causality_before(&causality, first, second));
    causality_destroy(&causality);
    story_end(&story);
}

/* --- random stories against the definition --- */

enum { TASKS = 4, EVENTS = 40, STORIES = 300 };

static void random_story(struct story *story, struct random *random) {
    static const enum op_kind kinds[] = {OP_LOAD, OP_STORE, OP_RMW, OP_LOCK, OP_UNLOCK, OP_YIELD};
    static const uint64_t objects[] = {X, Y, MUTEX};
    story_begin(story, TASKS);
    for (uint32_t i = 0; i < EVENTS; i++) {
        enum op_kind kind = kinds[random_below(random, 6)];
        bool memory = op_info(kind)->class == CLASS_MEMORY;
        tell(story, random_below(random, TASKS), kind,
             memory ? objects[random_below(random, 2)] : MUTEX);
    }
}

static void close_pairs(const struct story *story, bool before[EVENTS][EVENTS]) {
    const struct event *events = story->events;
    memset(before, 0, sizeof(bool[EVENTS][EVENTS]));
    for (uint32_t j = 0; j < EVENTS; j++)
        for (uint32_t i = 0; i < j; i++) {
            before[i][j] |=
                events[i].task == events[j].task || dependent_events(&events[i], &events[j]);
            for (uint32_t k = 0; before[i][j] && k < i; k++)
                before[k][j] |= before[k][i];
        }
}

/* Each arrow belongs to the order, leads to another task, and does not follow from other arrows. */
static void check_arrows(const struct story *story, const struct causality *causality,
                         bool before[EVENTS][EVENTS]) {
    for (uint32_t a = 0; a < causality->arrow_count; a++) {
        uint32_t from = causality->arrows[a].from, to = causality->arrows[a].to;
        assert_true(before[from][to]);
        assert_int_not_equal(story->events[from].task, story->events[to].task);
        for (uint32_t k = from + 1; k < to; k++)
            assert_false(before[from][k] && before[k][to]);
    }
}

/* Arrows and program order together give the whole order. */
static void check_enough(const struct story *story, const struct causality *causality,
                         bool before[EVENTS][EVENTS]) {
    static bool again[EVENTS][EVENTS];
    memset(again, 0, sizeof again);
    for (uint32_t j = 0; j < EVENTS; j++)
        for (uint32_t i = 0; i < j; i++) {
            again[i][j] |=
                story->events[i].task == story->events[j].task || count_arrows(causality, i, j) > 0;
            for (uint32_t k = 0; again[i][j] && k < i; k++)
                again[k][j] |= again[k][i];
        }
    assert_memory_equal(again, before, sizeof again);
}

static void as_defined(void **state) {
    (void)state;
    static bool before[EVENTS][EVENTS];
    struct random random;
    random_seed(&random, 7);
    for (uint32_t story = 0; story < STORIES; story++) {
        struct story story;
        struct causality causality;
        random_story(&story, &random);
        put_in_order(&causality, &story, SENDS_ORDERED);
        close_pairs(&story, before);
        for (uint32_t i = 0; i < EVENTS; i++)
            for (uint32_t j = 0; j < EVENTS; j++)
                assert_int_equal(causality_before(&causality, i, j), before[i][j]);
        check_arrows(&story, &causality, before);
        check_enough(&story, &causality, before);
        causality_destroy(&causality);
        story_end(&story);
    }
}

/* A trace that would take too long is given up. */
static void too_large(void **state) {
    (void)state;
    struct story story;
    struct causality causality;
    story_begin(&story, 1 << 16);
    for (uint32_t i = 0; i < 1 << 11; i++)
        tell(&story, i, OP_YIELD, 0);
    put_in_order(&causality, &story, SENDS_ORDERED);
    assert_false(causality.complete);
    assert_int_equal(causality.arrow_count, 0);
    assert_false(causality_before(&causality, 0, 1));
    causality_destroy(&causality);
    story_end(&story);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_hand_over), cmocka_unit_test(creation_and_join),
        cmocka_unit_test(messages),        cmocka_unit_test(sends),
        cmocka_unit_test(as_defined),      cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
