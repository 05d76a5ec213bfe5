/* test_identity.c - the fingerprint of a finding: which changes must keep it, and which must change
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sample_trace.h"
#include "trace/identity.h"
#include "execution/waits.h"

/* The fingerprint of the sample trace after a change. */
static const char *changed(void (*change)(struct trace *trace)) {
    static char texts[2][IDENTITY_SIZE];
    static uint32_t turn;
    struct trace trace;
    sample_trace(&trace, 3);
    if (change != NULL)
        change(&trace);
    identity_of(&trace, texts[turn ^= 1]);
    trace_destroy(&trace);
    return texts[turn];
}

static void assert_same(void (*change)(struct trace *trace)) {
    const char *original = changed(NULL);
    assert_string_equal(changed(change), original);
}

static void assert_other(void (*change)(struct trace *trace)) {
    const char *original = changed(NULL);
    assert_string_not_equal(changed(change), original);
}

/* --- changes that keep the fingerprint --- */

static void move_lines(struct trace *trace) {
    for (uint32_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].line += 100;
}

static void move_directory(struct trace *trace) {
    trace->directory = "/home/other";
    for (uint32_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].file = "/home/other/build/../src/abba.c";
}

static void indent(struct trace *trace) {
    for (uint32_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].source = "\t  pthread_mutex_lock(&a); ";
}

static void begin_elsewhere(struct trace *trace) {
    struct finding *finding = &trace->finding;
    struct finding_wait first = finding->waits[0];
    finding->waits[0] = finding->waits[1];
    finding->waits[1] = first;
}

/* The same two threads, created in the opposite order, with other addresses. */
static void renumber(struct trace *trace) {
    for (uint32_t i = 0; i < 2; i++) {
        struct finding_wait *wait = &trace->finding.waits[i];
        wait->task = 3 - wait->task;
        wait->holder = 3 - wait->holder;
        wait->op.pc += 0x40;
    }
    trace->objects[1].name = "locks[7]";
}

/* One more task waits for a lock of the cycle. */
static void bystander(struct trace *trace) {
    struct finding *finding = &trace->finding;
    finding->waits[2] = finding->waits[0];
    finding->waits[2].task = 0;
    finding->waits[2].stack = trace->events[0].stack;
    finding->wait_count = 3;
}

static void test_same(void **state) {
    (void)state;
    assert_same(move_lines);
    assert_same(move_directory);
    assert_same(indent);
    assert_same(begin_elsewhere);
    assert_same(renumber);
    assert_same(bystander);
}

/* --- changes that change the fingerprint --- */

static void other_kind(struct trace *trace) {
    trace->finding.kind = FINDING_BLOCKED;
}

static void other_function(struct trace *trace) {
    uint32_t link = trace->stacks[trace->finding.waits[0].stack - 1].first;
    trace->frames[trace->links[link]].function = "third";
}

static void other_source(struct trace *trace) {
    uint32_t link = trace->stacks[trace->finding.waits[1].stack - 1].first;
    trace->frames[trace->links[link]].source = "pthread_mutex_lock(&b);";
}

static void other_file(struct trace *trace) {
    for (uint32_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].file = "/src/baab.c";
}

static void other_object(struct trace *trace) {
    trace->objects[0].name = "another";
}

static void test_other(void **state) {
    (void)state;
    assert_other(other_kind);
    assert_other(other_function);
    assert_other(other_source);
    assert_other(other_file);
    assert_other(other_object);
}

/* --- messages --- */

static const char *message;

static void fail_with_message(struct trace *trace) {
    trace->finding.kind = FINDING_ASSERTION;
    trace->finding.wait_count = 0;
    strcpy(trace->finding.text, message);
}

static const char *of_message(const char *text) {
    message = text;
    return changed(fail_with_message);
}

static void test_messages(void **state) {
    (void)state;
    const char *first = of_message("/a/b/queue.c:31: item 5 of T1 at 0x7f00, not -3");
    assert_string_equal(of_message("queue.c:99: item 17 of T12 at 0xbeef, not 8"), first);
    first = of_message("item 5");
    assert_string_not_equal(of_message("item5"), first); /* a name, not a number */
    first = of_message("write of 4 bytes outside a block of 16 bytes");
    assert_string_equal(of_message("read of 1 byte outside a block of 1 byte"), first);
    assert_string_not_equal(of_message("read of 1 byte_array"),
                            of_message("read of 1 bytes_array"));
}

/* A task was interrupted at an arbitrary place. This place does not count, but the function that
 * the task runs does. */
static void diverge_here(struct trace *trace) {
    trace->finding.kind = FINDING_DIVERGENCE;
    trace->finding.place_varies = true;
    trace->finding.wait_count = 0;
    trace->finding.task = 1;
}

static void diverge_there(struct trace *trace) {
    diverge_here(trace);
    trace->finding.stacks[0].stack = trace->events[0].stack;
}

static void diverge_in_other(struct trace *trace) {
    diverge_here(trace);
    trace->finding.task = 2;
}

static void test_varying_place(void **state) {
    (void)state;
    const char *here = changed(diverge_here);
    assert_string_equal(changed(diverge_there), here);
    here = changed(diverge_here);
    assert_string_not_equal(changed(diverge_in_other), here);
}

/* --- cycles --- */

/* T1 waits for T2, T2 for T3, T3 for T2, and T4 for no task. T2 and T3 are the cycle. */
static void test_cycle(void **state) {
    (void)state;
    struct finding finding = {.wait_count = 4,
                              .waits = {{.task = 1, .holder = 2},
                                        {.task = 2, .holder = 3},
                                        {.task = 3, .holder = 2},
                                        {.task = 4, .holder = NO_TASK}}};
    assert_ptr_equal(waits_cycle(&finding), &finding.waits[1]);
    assert_false(waits_in_cycle(&finding, &finding.waits[0]));
    assert_true(waits_in_cycle(&finding, &finding.waits[2]));
    assert_false(waits_in_cycle(&finding, &finding.waits[3]));
    finding.waits[2].holder = 4;
    assert_null(waits_cycle(&finding));
    finding.waits[3].holder = 4; /* a lock that is taken twice */
    assert_ptr_equal(waits_cycle(&finding), &finding.waits[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),     cmocka_unit_test(test_other),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_varying_place),
        cmocka_unit_test(test_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
