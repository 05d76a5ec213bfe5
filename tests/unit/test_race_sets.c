/* test_race_sets.c - which messages a receive could have taken, in small stories (seed 004, 3.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "story.h"
#include "trace/race_sets.h"

enum { BOX = 0x4000, REPLY = 0x5000 };

struct judged {
    struct causality order;
    struct race_sets sets;
};

static void judge(struct judged *judged, const struct trace *trace) {
    causality_init(&judged->order, trace, SENDS_FREE);
    race_sets_init(&judged->sets, &judged->order);
}

static void release(struct judged *judged) {
    race_sets_destroy(&judged->sets);
    causality_destroy(&judged->order);
}

static uint32_t message(struct trace *trace, uint32_t task, enum op_kind kind, uint64_t box,
                        uint64_t number) {
    uint32_t at = tell(trace, task, kind, box);
    tell_message(trace, number);
    return at;
}

/* The race set of a receive, as a count; up to two of its sends. */
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

/* Two senders who know nothing of each other: the first receive could have taken either message, the
 * second one only what was left. */
static void two_senders(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 3);
    message(&trace, 1, OP_SEND, BOX, 1);
    uint32_t second = message(&trace, 2, OP_SEND, BOX, 2);
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 1);
    uint32_t again = message(&trace, 0, OP_RECEIVE, BOX, 2);
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], second);
    assert_int_equal(set_of(&judged, again, sends), 0);
    release(&judged);
    trace_destroy(&trace);
}

/* Sent later than the receive, but not because of it: it could have come first. */
static void sent_later(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 3);
    message(&trace, 1, OP_SEND, BOX, 1);
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 1);
    uint32_t late = message(&trace, 2, OP_SEND, BOX, 2);
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], late); /* nobody ever received it */
    release(&judged);
    trace_destroy(&trace);
}

/* An answer to what the receiver sent after the receive is no rival. */
static void an_answer(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 3);
    message(&trace, 1, OP_SEND, BOX, 1);
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 1);
    message(&trace, 0, OP_SEND, REPLY, 1);
    message(&trace, 2, OP_RECEIVE, REPLY, 1);
    message(&trace, 2, OP_SEND, BOX, 2);
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 0);
    assert_int_equal(judged.sets.count, 0);
    release(&judged);
    trace_destroy(&trace);
}

/* A mailbox keeps the order of one sender: its second message is no rival of its first, and of another
 * sender's messages only the first is. */
static void one_after_the_other(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 3);
    message(&trace, 1, OP_SEND, BOX, 1);
    message(&trace, 1, OP_SEND, BOX, 2);
    uint32_t other = message(&trace, 2, OP_SEND, BOX, 3);
    message(&trace, 2, OP_SEND, BOX, 4);
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 1);
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], other);
    release(&judged);
    trace_destroy(&trace);
}

/* By a predicate that passes over message 1, and would have taken 4, but not 3. */
static void by_predicate(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 5);
    message(&trace, 1, OP_SEND, BOX, 1);
    message(&trace, 2, OP_SEND, BOX, 2);
    message(&trace, 3, OP_SEND, BOX, 3);
    uint32_t taken = message(&trace, 4, OP_SEND, BOX, 4);
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 2);
    trace.events[receive].op.target = 1 << 1;
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 1);
    assert_int_equal(sends[0], taken);
    release(&judged);
    trace_destroy(&trace);
}

/* A message that was lost on its way, and a receive that found nothing, have no part in it. */
static void failures(void **state) {
    (void)state;
    struct trace trace;
    struct judged judged;
    uint32_t sends[2];
    story_begin(&trace, 3);
    message(&trace, 1, OP_SEND, BOX, 1);
    uint32_t lost = message(&trace, 2, OP_SEND, BOX, 2);
    trace.events[lost].flags = EVENT_FAILED;
    uint32_t receive = message(&trace, 0, OP_RECEIVE, BOX, 1);
    uint32_t empty = message(&trace, 0, OP_TRY_RECEIVE, BOX, 0);
    trace.events[empty].flags = EVENT_FAILED;
    judge(&judged, &trace);
    assert_int_equal(set_of(&judged, receive, sends), 0);
    assert_int_equal(judged.sets.count, 0);
    release(&judged);
    trace_destroy(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_senders),  cmocka_unit_test(sent_later),
        cmocka_unit_test(an_answer),    cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(by_predicate), cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
