/* test_trace_file.c - a trace file is read back as it was written, and every damage to it leads to
 * one clear line of error. Some tests give damaged content a new, right checksum, so that the
 * parser itself has to detect the damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/random.h"
#include "reports/page.h"
#include "reports/text.h"
#include "sample_trace.h"
#include "trace/file.h"

enum { ERROR_SIZE = 500 };

/* The file is in memory, because it is written thousands of times. */
static char path[] = "/dev/shm/heddle-test-XXXXXX";

static int set_up(void **state) {
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static char *slurp(size_t *length) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

static void spill(const char *text, size_t length) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

/* The content of the sample's file. */
static char *sample_text(size_t *length) {
    struct trace trace;
    char error[ERROR_SIZE];
    sample_trace(&trace, 3);
    assert_true(trace_write(&trace, path, error, sizeof error));
    trace_destroy(&trace);
    return slurp(length);
}

/* Writes `text`, which has no end line, with the right end line. */
static void spill_sealed(const char *text, size_t length) {
    char *sealed = malloc(length + 64);
    assert_non_null(sealed);
    memcpy(sealed, text, length);
    int end =
        sprintf(sealed + length, "end\t%016llx\n", (unsigned long long)XXH64(text, length, 0));
    spill(sealed, length + (size_t)end);
    free(sealed);
}

static void expect_error(const char *part) {
    struct trace trace;
    char error[ERROR_SIZE] = "";
    assert_false(trace_read(&trace, path, error, sizeof error));
    if (strstr(error, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, error);
    assert_null(strchr(error, '\n'));
    trace_destroy(&trace);
}

static void test_round_trip(void **state) {
    (void)state;
    struct trace trace;
    size_t length, again_length;
    char error[ERROR_SIZE], *text = sample_text(&length);
    assert_true(trace_read(&trace, path, error, sizeof error));
    assert_string_equal(trace.program, "/bin/abba");
    assert_string_equal(trace.arguments[1], "two words\tand a tab \\ \x01 \xc3\xa9");
    assert_string_equal(trace.notes[0], "a line\nand another");
    assert_string_equal(trace_object_name(&trace, 0x4038), "locks[2]");
    assert_null(trace_object_name(&trace, 0x4039));
    assert_string_equal(trace_option(&trace, "seed"), "1");
    assert_int_equal(trace.tasks[0].parent, NO_TASK);
    assert_int_equal(trace.event_count, 5);
    assert_int_equal(trace.finding.kind, FINDING_DEADLOCK);
    assert_int_equal(trace.finding.waits[1].op.kind, OP_LOCK);
    assert_int_equal(trace_finding_place(&trace)->line, 22);
    assert_string_equal(trace_line(&trace, "/src/abba.c", 12), "\tpthread_mutex_lock(&a);");
    assert_null(trace_line(&trace, "/src/abba.c", 14));
    assert_int_equal(trace.evidence.smallness, SMALLNESS_PROVEN);
    assert_int_equal(trace.evidence.tried, 12);
    struct trace passing;
    assert_true(trace_passing(&trace, &passing));
    assert_false(trace_fails(&passing));
    assert_int_equal(passing.event_count, 4);
    assert_int_equal(passing.decision_count, 3);
    /* Nothing is lost: writing what was read gives the same bytes. */
    assert_true(trace_write(&trace, path, error, sizeof error));
    char *again = slurp(&again_length);
    assert_int_equal(length, again_length);
    assert_memory_equal(text, again, length);
    free(text);
    free(again);
    trace_destroy(&trace);
}

/* The trace of an execution without an error has no record of a finding. */
static void test_passing(void **state) {
    (void)state;
    struct trace trace, passing;
    char error[ERROR_SIZE];
    sample_trace(&trace, 3);
    assert_true(trace_passing(&trace, &passing));
    assert_true(trace_write(&passing, path, error, sizeof error));
    trace_destroy(&trace);
    assert_true(trace_read(&trace, path, error, sizeof error));
    assert_false(trace_fails(&trace));
    assert_false(trace.unfinished);
    assert_int_equal(trace_events_before(&trace), 4); /* all events, because there is no finding */
    assert_int_equal(trace.event_count, 4);
    assert_false(trace_passing(&trace, &passing));
    trace_destroy(&trace);
}

static void test_unfinished(void **state) {
    (void)state;
    struct trace trace;
    char error[ERROR_SIZE];
    sample_trace(&trace, 3);
    trace.unfinished = true;
    assert_true(trace_write(&trace, path, error, sizeof error));
    trace_destroy(&trace);
    assert_true(trace_read(&trace, path, error, sizeof error));
    assert_true(trace.unfinished);
    trace_destroy(&trace);
}

/* A file of format 1, written when this format was the newest. */
static void test_older(void **state) {
    (void)state;
    struct trace trace, passing;
    char error[ERROR_SIZE];
    assert_true(trace_read(&trace, TEST_DATA "/queue-1.trace", error, sizeof error));
    assert_int_equal(trace.finding.kind, FINDING_ASSERTION);
    assert_int_equal(trace_finding_place(&trace)->line, 41);
    assert_int_equal(trace.event_count, 14);
    assert_int_equal(trace.evidence.smallness, SMALLNESS_UNKNOWN);
    assert_false(trace_passing(&trace, &passing));
    trace_destroy(&trace);
}

static void test_unwritable(void **state) {
    (void)state;
    struct trace trace;
    char error[ERROR_SIZE] = "";
    sample_trace(&trace, 3);
    assert_false(trace_write(&trace, "/nonexistent/x.trace", error, sizeof error));
    assert_non_null(strstr(error, "cannot write /nonexistent/x.trace"));
    trace_destroy(&trace);
}

static void test_not_a_trace(void **state) {
    (void)state;
    static const char nul[] = "heddle-trace 1\0\nend\t0000000000000000\n";
    struct trace trace;
    char error[ERROR_SIZE];
    spill("", 0);
    expect_error("not a trace");
    spill("\x7f"
          "ELF",
          4);
    expect_error("not a trace");
    spill("heddle-trace x\n", 15);
    expect_error("not a trace");
    spill(nul, sizeof nul - 1);
    expect_error("not a trace");
    spill("heddle-trace 3\nend\t0000000000000000\n", 36);
    expect_error("trace format 3; this Heddle reads 1 to 2");
    spill("heddle-trace 0\nend\t0000000000000000\n", 36);
    expect_error("trace format 0");
    spill("heddle-trace 99999999999999999999\n", 34);
    expect_error("trace format 999999999");
    assert_false(trace_read(&trace, "/nonexistent", error, sizeof error));
    assert_string_equal(error, "/nonexistent: No such file or directory");
    assert_false(trace_read(&trace, "/tmp", error, sizeof error));
    assert_string_equal(error, "/tmp: is a directory");
}

/* The message says that the file is cut off, no matter how much is missing at the end. */
static void test_cut_off(void **state) {
    (void)state;
    size_t length;
    char *text = sample_text(&length);
    for (size_t kept = strlen("heddle-trace 1"); kept < length; kept++) {
        spill(text, kept);
        expect_error("cut off");
    }
    free(text);
}

static void test_garbled(void **state) {
    (void)state;
    size_t length;
    char *text = sample_text(&length);
    struct random random;
    random_seed(&random, 1);
    for (int i = 0; i < 500; i++) {
        /* The damage is after the first line and before the last, which have messages of their
         * own. */
        size_t at = 15 + random_below(&random, (uint32_t)length - 15 - 22);
        char before = text[at];
        text[at] = (char)(before ^ (1 << random_below(&random, 8)));
        spill(text, length);
        expect_error("garbled");
        text[at] = before;
    }
    free(text);
}

static void test_malformed_line(void **state) {
    (void)state;
    static const char *const lines[] = {
        "surprise\t1\n",
        "note\n",
        "note\ta\tb\n",
        "note\tbad \\q escape\n",
        "note\tbad \\x0 escape\n",
        "frame\tf\tf.c\t-1\tm\ts\n",
        "frame\tf\tf.c\t4294967296\tm\ts\n",
        "decision\tschedule\t1\n",
        "decision\tfate\t1\t2\n",
        "stack\t\n",
        "stack\t1\tx\n",
        "\n",
        "object\t0x10\ta\n",
        "finding\tgrumpiness\t-\t0\t0\t0\t\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[200];
        snprintf(text, sizeof text, "heddle-trace 1\nnote\tfine\n%s", lines[i]);
        spill_sealed(text, strlen(text));
        expect_error("malformed line 3");
    }
    spill_sealed("heddle-trace 1\nnote\ta\0b\n", 24);
    expect_error("malformed line 2");
}

/* Every line is right, but there is no task. */
static void test_missing(void **state) {
    (void)state;
    static const char text[] = "heddle-trace 1\nprogram\t/p\t00\t/\t0.1.0\t1\nargument\tp\n";
    spill_sealed(text, strlen(text));
    expect_error("malformed: a record is missing");
}

/* The lines are well-formed, but refer to things that do not exist. */
static void test_dangling(void **state) {
    (void)state;
    static const char *const lines[] = {
        "stack\t1000\n",
        "task\t99\t0\t0\t0\tf\t0\n",
        "task\t0\t0\t0\t0\tf\t1000\n",
        "finding\tdeadlock\t77\t0\t0\t0\t\n",
        "finding\tdeadlock\t-\t1000\t0\t0\t\n",
        "evidence\ttried\t1\t1\t1000\t-\t0\t0\t0\t0\n",
        "evidence\ttried\t1\t1\t0\t-\t1000\t0\t0\t0\n",
        "evidence\ttried\t1\t1\t1\t1000\t0\t0\t0\t0\n",
        "evidence\tguessed\t1\t1\t0\t-\t0\t0\t0\t0\n",
    };
    size_t length;
    char *text = sample_text(&length);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t more = strlen(lines[i]);
        char *longer = malloc(length + more);
        assert_non_null(longer);
        memcpy(longer, text, length - 21);
        memcpy(longer + length - 21, lines[i], more);
        spill_sealed(longer, length - 21 + more);
        expect_error("malformed");
        free(longer);
    }
    free(text);
}

/* Reads the file. If the parser accepts the file, reports of the trace must not crash either. */
static void read_and_report(void) {
    struct trace trace;
    char error[ERROR_SIZE];
    if (trace_read(&trace, path, error, sizeof error)) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        const struct text_view view = {
            .columns = {.style = style_of(out), .all = true, .source = true}};
        text_report(&trace, &view, out);
        text_summary(&trace, out);
        fclose(out);
        free(text);
        free(page_data(&trace, &(struct page_view){0}));
    }
    trace_destroy(&trace);
}

static void test_random_damage(void **state) {
    (void)state;
    static const char likely[] = "\t\n0123456789abcdef-\\x";
    size_t length;
    char *text = sample_text(&length), *damaged = malloc(length);
    assert_non_null(damaged);
    struct random random;
    random_seed(&random, 2);
    for (int i = 0; i < 4000; i++) {
        memcpy(damaged, text, length);
        for (uint32_t flips = 1 + random_below(&random, 3); flips > 0; flips--) {
            size_t at = 15 + random_below(&random, (uint32_t)length - 15 - 21);
            damaged[at] = random_below(&random, 2)
                              ? (char)random_below(&random, 256)
                              : likely[random_below(&random, sizeof likely - 1)];
        }
        damaged[length - 22] = '\n'; /* the end line must stay a line of its own */
        spill_sealed(damaged, length - 21);
        read_and_report();
    }
    free(damaged);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_passing),
        cmocka_unit_test(test_older),          cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_unwritable),     cmocka_unit_test(test_not_a_trace),
        cmocka_unit_test(test_cut_off),        cmocka_unit_test(test_garbled),
        cmocka_unit_test(test_malformed_line), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_dangling),       cmocka_unit_test(test_random_damage),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
