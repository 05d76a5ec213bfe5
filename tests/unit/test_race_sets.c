/* test_race_sets.c - race sets: the other messages that a receive could have taken, in small
 * stories (seed 004, section 3.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event/event.h"
#include "execution/race_sets.h"
#include "story.h"

enum { BOX = 0x4000, REPLY = 0x5000 };

struct judged {
    struct causality order;
    struct race_sets sets;
};

static void judge(struct judged *judged, const struct story *story) {
    const struct events events = story_events(story);
    causality_init(&judged->order, story->pool, &events, SENDS_FREE);
    race_sets_init(&judged->sets, &judged->order);
}

static void release(struct judged *judged) {
    race_sets_destroy(&judged->sets);
    causality_destroy(&judged->order);
}

static uint32_t message(struct story *story, uint32_t task, enum op_kind kind, uint64_t box,
                        uint64_t number) {
    uint32_t at = tell(story, task, kind, box);
    tell_message(story, number);
    return at;
}

/* The size of a receive's race set. `sends` receives up to two of the set's sends. */
static uint32_t set_of(const struct judged *judged, uint32_t receive, uint32_t sends[2]) {
    for (uint32_t i = 0; i < judged->sets.count; i++) {
        const struct race_set *set = &judged->sets.list[i];
        for (uint32_t j = 0; set->receive == receive && j < set->count && j < 2; j++)
            sends[j] = judged->sets.sends[set->first + j];
        if (set->receive == receive)
            return set->count;
    }
    return 0;
}

/* Two senders do not depend on each other. The first receive could have taken either message, the
 * second one only the message that was left. */
static void two_senders(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 3);
    message(&story, 1, OP_SEND, BOX, 1);
    uint32_t second = message(&story, 2, OP_SEND, BOX, 2);
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 1);
    uint32_t again = message(&story, 0, OP_RECEIVE, BOX, 2);
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], second);
    assert_int_equal(set_of(&judged, again, sends), 0);
    release(&judged);
    story_end(&story);
}

/* The second message was sent later than the receive, but not because of it, so it could have come
 * first. */
static void sent_later(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 3);
    message(&story, 1, OP_SEND, BOX, 1);
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 1);
    uint32_t late = message(&story, 2, OP_SEND, BOX, 2);
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], late); /* no task ever received it */
    release(&judged);
    story_end(&story);
}

/* The receiver sent something after its receive, and the second message answers it. So it could not
 * have come first. */
static void an_answer(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 3);
    message(&story, 1, OP_SEND, BOX, 1);
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 1);
    message(&story, 0, OP_SEND, REPLY, 1);
    message(&story, 2, OP_RECEIVE, REPLY, 1);
    message(&story, 2, OP_SEND, BOX, 2);
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 0);
    assert_int_equal(judged.sets.count, 0);
    release(&judged);
    story_end(&story);
}

/* A mailbox keeps the order of one sender. So the second message of a sender cannot replace its
 * first, and only the first message of the other sender is in the race set. */
static void one_after_the_other(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 3);
    message(&story, 1, OP_SEND, BOX, 1);
    message(&story, 1, OP_SEND, BOX, 2);
    uint32_t other = message(&story, 2, OP_SEND, BOX, 3);
    message(&story, 2, OP_SEND, BOX, 4);
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 1);
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], other);
    release(&judged);
    story_end(&story);
}

/* The receive has a predicate: it skips message 1, would have taken 4, but not 3. */
static void by_predicate(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 5);
    message(&story, 1, OP_SEND, BOX, 1);
    message(&story, 2, OP_SEND, BOX, 2);
    message(&story, 3, OP_SEND, BOX, 3);
    uint32_t taken = message(&story, 4, OP_SEND, BOX, 4);
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 2);
    story.events[receive].op.target = 1 << 1;
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], taken);
    release(&judged);
    story_end(&story);
}

/* A message that was lost on its way, and a receive that found nothing, are in no race set. */
static void failures(void **state) {
    (void)state;
    struct story story;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&story, 3);
    message(&story, 1, OP_SEND, BOX, 1);
    uint32_t lost = message(&story, 2, OP_SEND, BOX, 2);
    story.events[lost].flags = EVENT_FAILED;
    uint32_t receive = message(&story, 0, OP_RECEIVE, BOX, 1);
    uint32_t empty = message(&story, 0, OP_TRY_RECEIVE, BOX, 0);
    story.events[empty].flags = EVENT_FAILED;
    judge(&judged, &story);
    assert_int_equal(set_of(&judged, receive, sends), 0);
    assert_int_equal(judged.sets.count, 0);
    release(&judged);
    story_end(&story);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_senders),  cmocka_unit_test(sent_later),
        cmocka_unit_test(an_answer),    cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(by_predicate), cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
