/* test_spans.c - spans of a trace: which task held which object, and which task waited, in small
 * stories. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_trace.h"
#include "execution/spans.h"
#include "story.h"
#include "unit/harness.h"

enum { MUTEX = 0x3000, OTHER = 0x3100, CONDITION = 0x3200, LOCK = 0x3300, BARRIER = 0x3400, BOX };

static void find_spans(struct spans *spans, const struct story *story) {
    const struct events events = story_events(story);
    spans_init(spans, story->pool, &events, NULL);
}

static const struct span *find(const struct spans *spans, enum span_kind kind, uint32_t task,
                               uint64_t object) {
    const struct span *found = NULL;
    for (uint32_t i = 0; i < spans->count; i++) {
        const struct span *span = &spans->list[i];
        if (span->kind != kind || span->task != task || span->object != object)
            continue;
        assert_null(found); /* only one span may match */
        found = span;
    }
    assert_non_null(found);
    return found;
}

static void expect(const struct spans *spans, enum span_kind kind, uint32_t task, uint64_t object,
                   uint32_t from, uint32_t to) {
    const struct span *span = find(spans, kind, task, object);
    assert_int_equal(span->from, from);
    assert_int_equal(span->to, to);
}

/* T2 waits before its lock after its load, until T1 unlocks the mutex. */
static void a_lock_is_waited_for(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 3);
    uint32_t lock = tell(&story, 1, OP_LOCK, MUTEX);
    uint32_t load = tell(&story, 2, OP_LOAD, OTHER);
    tell(&story, 1, OP_LOAD, OTHER);
    uint32_t unlock = tell(&story, 1, OP_UNLOCK, MUTEX);
    uint32_t second = tell(&story, 2, OP_LOCK, MUTEX);
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 3);
    expect(&spans, SPAN_HELD, 1, MUTEX, lock, unlock);
    expect(&spans, SPAN_HELD, 2, MUTEX, second, story.event_count);
    expect(&spans, SPAN_WAITING, 2, MUTEX, load, unlock);
    assert_int_equal(find(&spans, SPAN_WAITING, 2, MUTEX)->holder, 1);
    spans_destroy(&spans);
    story_end(&story);
}

/* One task locks a mutex twice. It holds the mutex until its last unlock, and no task waits. */
static void recursive(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 2);
    tell(&story, 1, OP_LOCK, MUTEX);
    tell(&story, 1, OP_LOCK, MUTEX);
    tell(&story, 1, OP_UNLOCK, MUTEX);
    uint32_t last = tell(&story, 1, OP_UNLOCK, MUTEX);
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 1);
    expect(&spans, SPAN_HELD, 1, MUTEX, 0, last);
    spans_destroy(&spans);
    story_end(&story);
}

static void failed_trylock_holds_nothing(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 3);
    tell(&story, 1, OP_LOCK, MUTEX);
    uint32_t try = tell(&story, 2, OP_TRYLOCK, MUTEX);
    story.events[try].flags = EVENT_FAILED;
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 1);
    spans_destroy(&spans);
    story_end(&story);
}

/* The mutex is free while its owner sleeps on the condition variable. */
static void a_condition(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 3);
    tell(&story, 1, OP_LOCK, MUTEX);
    uint32_t wait = tell(&story, 1, OP_COND_WAIT, CONDITION);
    story.events[wait].op.object2 = MUTEX;
    uint32_t lock = tell(&story, 2, OP_LOCK, MUTEX);
    tell(&story, 2, OP_COND_SIGNAL, CONDITION);
    uint32_t unlock = tell(&story, 2, OP_UNLOCK, MUTEX);
    uint32_t wake = tell(&story, 1, OP_COND_WAKE, CONDITION);
    story.events[wake].op.object2 = MUTEX;
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 4);
    assert_int_equal(spans.list[0].kind, SPAN_HELD);
    assert_int_equal(spans.list[0].from, 0);
    assert_int_equal(spans.list[0].to, wait);
    expect(&spans, SPAN_WAITING, 1, CONDITION, wait, wake);
    expect(&spans, SPAN_HELD, 2, MUTEX, lock, unlock);
    assert_int_equal(spans.list[3].from, wake);
    assert_int_equal(spans.list[3].task, 1);
    spans_destroy(&spans);
    story_end(&story);
}

static void readers_share(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 4);
    uint32_t start = tell(&story, 3, OP_LOAD, OTHER);
    uint32_t first = tell(&story, 1, OP_READ_LOCK, LOCK);
    uint32_t second = tell(&story, 2, OP_READ_LOCK, LOCK);
    uint32_t leaves = tell(&story, 1, OP_RW_UNLOCK, LOCK);
    uint32_t last = tell(&story, 2, OP_RW_UNLOCK, LOCK);
    uint32_t writes = tell(&story, 3, OP_WRITE_LOCK, LOCK);
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 4);
    expect(&spans, SPAN_SHARED, 1, LOCK, first, leaves);
    expect(&spans, SPAN_SHARED, 2, LOCK, second, last);
    expect(&spans, SPAN_WAITING, 3, LOCK, first, last);
    expect(&spans, SPAN_HELD, 3, LOCK, writes, story.event_count);
    assert_int_equal(start, 0);
    spans_destroy(&spans);
    story_end(&story);
}

/* The first task waits until the last one arrives. */
static void a_barrier(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 3);
    uint32_t first = tell(&story, 1, OP_BARRIER_ARRIVE, BARRIER);
    uint32_t last = tell(&story, 2, OP_BARRIER_ARRIVE, BARRIER);
    story.events[last].result = 1;
    tell(&story, 2, OP_LOAD, OTHER);
    tell(&story, 1, OP_BARRIER_LEAVE, BARRIER);
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 1);
    expect(&spans, SPAN_WAITING, 1, BARRIER, first, last);
    spans_destroy(&spans);
    story_end(&story);
}

/* A receive waits while its mailbox is empty. A join waits until the task has ended. */
static void mailbox_and_join(void **state) {
    (void)state;
    struct story story;
    struct spans spans;
    story_begin(&story, 2);
    uint32_t start = tell(&story, 0, OP_LOAD, OTHER);
    tell(&story, 1, OP_LOAD, OTHER);
    uint32_t send = tell(&story, 1, OP_SEND, BOX);
    tell_message(&story, 1);
    uint32_t receive = tell(&story, 0, OP_RECEIVE, BOX);
    tell_message(&story, 1);
    uint32_t last = tell(&story, 1, OP_LOAD, OTHER);
    uint32_t join = tell(&story, 0, OP_JOIN, 0);
    story.events[join].op.target = 1;
    find_spans(&spans, &story);
    assert_int_equal(spans.count, 2);
    expect(&spans, SPAN_WAITING, 0, BOX, start, send);
    expect(&spans, SPAN_WAITING, 0, 0, receive, last);
    assert_int_equal(find(&spans, SPAN_WAITING, 0, 0)->holder, 1);
    assert_int_equal(spans.ends[1], last);
    assert_int_equal(spans.ends[0], story.event_count);
    spans_destroy(&spans);
    story_end(&story);
}

/* A task that the finding names as blocked waits to the end, and holds its locks to the end. */
static void a_deadlock(void **state) {
    (void)state;
    struct trace trace;
    struct spans spans;
    uint32_t held = 0, waiting = 0;
    sample_trace(&trace, 3);
    const struct events events = trace_events(&trace);
    struct pool *pool = pool_open();
    spans_init(&spans, pool, &events, &trace.finding);
    for (uint32_t i = 0; i < spans.count; i++) {
        const struct span *span = &spans.list[i];
        held += span->kind == SPAN_HELD && span->to == trace.event_count;
        waiting += span->kind == SPAN_WAITING && span->to == trace.event_count &&
                   (span->task == 1 || span->task == 2) && span->holder == 3 - span->task;
    }
    assert_int_equal(held, 2);
    assert_int_equal(waiting, 2);
    spans_destroy(&spans);
    pool_close(pool);
    trace_destroy(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_is_waited_for),
        cmocka_unit_test(recursive),
        cmocka_unit_test(failed_trylock_holds_nothing),
        cmocka_unit_test(a_condition),
        cmocka_unit_test(readers_share),
        cmocka_unit_test(a_barrier),
        cmocka_unit_test(mailbox_and_join),
        cmocka_unit_test(a_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
