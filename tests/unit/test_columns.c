/* test_columns.c - the schedule in columns: each event stands in its task's column, no line is
 * wider than 80 characters, and only the last steps are shown unless all are wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/columns.h"
#include "reports/wrap.h"
#include "reports/text.h"
#include "sample_trace.h"

static const struct style plain = {"", "", "", "", ""};

static char *print(const struct trace *trace, bool all, bool source) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    columns_print(trace, &(struct columns_view){.style = &plain, .all = all, .source = source},
                  out);
    fclose(out);
    return text;
}

/* Three tasks: after the 7 characters of the step number, each column has (80 - 7) / 3 = 24
 * characters. */
static void test_three_tasks(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    char *text = print(&trace, false, false);
    assert_string_equal(
        text, " step  T0 (main)               T1 (first)              T2 (second)\n"
              "    1  30: create T1 (first)\n"
              "    2  31: create T2 (second)\n"
              "    3                          12: lock a\n"
              "    4                          12: note: a line and another\n"
              "    5                                                  21: lock locks[2]\n"
              "    -                          13: blocked: lock locks[2]\n"
              "    -                                                  22: blocked: lock a\n");
    free(text);
    trace_destroy(&trace);
}

static size_t longest_line(const char *text) {
    size_t longest = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n');
    }
    return longest;
}

/* No line is wider than the page, for any number of columns and any length of names. */
static void test_width(void **state) {
    (void)state;
    for (uint32_t tasks = 3; tasks < 60; tasks++) {
        struct trace trace;
        sample_trace(&trace, tasks);
        trace.objects[0].name = "a_rather_long_structure_name.with_a_member[17].and_another_one";
        char *text = print(&trace, true, true);
        assert_true(longest_line(text) <= WRAP_WIDTH);
        free(text);
        trace_destroy(&trace);
    }
}

static uint32_t count_lines(const char *text) {
    uint32_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* 3 + 40 tasks give 5 + 40 events. The 25 last ones are shown, below a heading and a line about the
 * other 20. The two blocked tasks follow. */
static void test_last_events(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 43);
    char *text = print(&trace, false, false);
    assert_int_equal(count_lines(text), 1 + 1 + COLUMNS_LINES + 2);
    assert_non_null(strstr(text, "(20 earlier steps"));
    free(text);
    text = print(&trace, true, false);
    assert_int_equal(count_lines(text), 1 + 45 + 2);
    free(text);
    trace_destroy(&trace);
}

/* Words that do not fit continue on the next line. A word longer than the line is broken. */
static void test_wrapping(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    trace.notes[0] = "one two three four five six seven eight nine ten eleven twelve thirteen "
                     "0123456789012345678901234567890123456789012345678901234567890123456789";
    char *text = print(&trace, true, false);
    assert_true(longest_line(text) <= WRAP_WIDTH);
    assert_non_null(strstr(text, "seven eight\n"));
    assert_non_null(strstr(text, "\n                                 nine ten"));
    free(text);
    trace_destroy(&trace);
}

/* Control characters in a program's text must not reach the terminal. */
static void test_control_characters(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    trace.notes[0] = "red \033[31m alert \a";
    char *text = print(&trace, true, false);
    assert_null(strchr(text, '\033'));
    assert_null(strchr(text, '\a'));
    free(text);
    trace_destroy(&trace);
}

static void test_report(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    const struct text_view view = {
        .columns = {.style = &plain}, .pid = 42, .replay_command = "heddle replay abba.trace"};
    text_report(&trace, &view, out);
    text_summary(&trace, out);
    fclose(out);
    static const char *const parts[] = {
        "==42==ERROR: heddle: deadlock on `a`: 2 tasks wait for each other\n",
        "  T1 (first) waits for mutex `locks[2]` held by T2 (second),\n"
        "    which waits for mutex `a` held by T1 (first).\n",
        "    #0 first abba.c:13\n",
        "  last operation by T2 (second) at:\n    #0 second abba.c:22\n",
        "  T1 (first) was created by T0 (main) at:\n    #0 main abba.c:30\n",
        "\nReplay: heddle replay abba.trace\nSUMMARY: heddle: deadlock abba.c:22 in second\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("'%s' is not in '%s'", parts[i], text);
    free(text);
    trace_destroy(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_tasks),        cmocka_unit_test(test_width),
        cmocka_unit_test(test_last_events),        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_control_characters), cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
