/* test_execution.c - when two executions are the same. Every difference is found at its event,
 * except in facts that older traces do not record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "execution/execution.h"
#include "unit/harness.h"
#include "event/event.h"

enum { EVENTS = 3 };

/* Adds three additions to one location. */
static void fill(struct execution *execution) {
    for (uint32_t i = 0; i < EVENTS; i++)
        *execution_add_event(execution) = (struct event){
            .op = {.kind = OP_RMW, .target = MODIFY_ADD, .size = 4, .object = 0x1000, .value = 1},
            .task = i,
            .result = i};
}

/* What happens to the second event of both executions, and then to that of one of them. */
static int64_t difference_between(void (*both)(struct event *event),
                                  void (*change)(struct event *event)) {
    struct pool *pool = pool_open();
    struct execution a = {.pool = pool}, b = {.pool = pool};
    fill(&a);
    fill(&b);
    both(&a.events[1]);
    both(&b.events[1]);
    change(&b.events[1]);
    int64_t there = execution_difference(&a, &b), back = execution_difference(&b, &a);
    assert_int_equal(there, back);
    pool_close(pool);
    return there;
}

static void nothing(struct event *event) {
    (void)event;
}

static int64_t difference_after(void (*change)(struct event *event)) {
    return difference_between(nothing, change);
}

static void a_store(struct event *event) {
    event->op.kind = OP_STORE;
    event->op.target = 0;
}

static void another_task(struct event *event) {
    event->task++;
}

static void another_value(struct event *event) {
    event->op.value++;
}

static void another_result(struct event *event) {
    event->result++;
}

static void another_modification(struct event *event) {
    event->op.target = MODIFY_SUB;
}

static void unknown_modification(struct event *event) {
    event->op.target = 0;
}

static void differences_are_found(void **state) {
    (void)state;
    assert_int_equal(difference_after(nothing), -1);
    assert_int_equal(difference_after(another_task), 1);
    assert_int_equal(difference_after(another_value), 1);
    assert_int_equal(difference_after(another_result), 1);
    assert_int_equal(difference_after(another_modification), 1);
}

/* Older traces do not record what a read-modify-write does, so this is no difference. */
static void older_traces_know_less(void **state) {
    (void)state;
    assert_int_equal(difference_after(unknown_modification), -1);
}

/* The value before a store may be anything, since the task does not see it. */
static void a_store_sees_nothing(void **state) {
    (void)state;
    assert_int_equal(difference_between(a_store, another_result), -1);
    assert_int_equal(difference_between(a_store, another_value), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_sees_nothing),
        cmocka_unit_test(differences_are_found),
        cmocka_unit_test(older_traces_know_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
