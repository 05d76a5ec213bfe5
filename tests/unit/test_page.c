/* test_page.c - an HTML page holds its data. For all texts of the tested program, the texts stay
 * inside their strings, and the data is valid JSON. The page's behaviour is tested in a browser
 * (tests/page). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "reports/json_text.h"
#include "reports/page.h"
#include "sample_trace.h"

static const char BEGIN[] = "<script type=\"application/json\" id=\"data\">";
static const char END[] = "</script>";

static char *page_of(const struct trace *trace, const char *replay) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    const struct page_view view = {.replay_command = replay};
    page_write_trace(trace, &view, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), length);
    return text;
}

/* The data as a browser would extract it: up to the first end tag. */
static json_t *data_of(const char *page) {
    const char *from = strstr(page, BEGIN);
    assert_non_null(from);
    from += strlen(BEGIN);
    const char *to = strstr(from, END);
    assert_non_null(to);
    json_t *data = json_loadb(from, (size_t)(to - from), 0, NULL);
    assert_non_null(data);
    return data;
}

static uint32_t count(const char *text, const char *part) {
    uint32_t found = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        found++;
    return found;
}

static void holds_the_trace(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    char *page = page_of(&trace, "heddle replay abba.trace");
    json_t *data = data_of(page);
    json_t *schedule = json_array_get(json_object_get(data, "schedules"), 0);
    assert_int_equal(json_array_size(json_object_get(schedule, "events")), trace.event_count);
    assert_int_equal(json_array_size(json_object_get(data, "tasks")), 3);
    assert_string_equal(json_string_value(json_object_get(data, "replay")),
                        "heddle replay abba.trace");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(data, "finding"), "kind")), "deadlock");
    assert_int_equal(json_array_size(json_object_get(json_object_get(data, "finding"), "waits")),
                     2);
    assert_non_null(strstr(page, "default-src 'none'"));
    assert_null(strstr(page, "{{"));
    json_decref(data);
    free(page);
    trace_destroy(&trace);
}

static void hostile_texts(void **state) {
    (void)state;
    static const char *const texts[] = {
        "</script><script>alert(1)</script>",
        "<!-- <script>",
        "]]>",
        "&lt;\" onload=\"x",
        "line\nfeed\t\x01\x1f\x7f",
        "\xe2\x80\xa8\xe2\x80\xa9",
        "\xff\xfe\xc0\xaf",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "cut \xe2\x82",
        "{{program}}{{data}}",
        "\\u003c/script>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct trace trace;
        sample_trace(&trace, 3);
        char *clean = page_of(&trace, NULL);
        trace.program = trace.directory = trace.tasks[1].function = trace.objects[0].name =
            texts[i];
        trace.frames[0].function = trace.frames[0].file = trace.frames[0].source = texts[i];
        trace.notes[0] = trace.arguments[0] = texts[i];
        snprintf(trace.finding.text, sizeof trace.finding.text, "%s", texts[i]);
        char *page = page_of(&trace, texts[i]);
        json_t *data = data_of(page);
        json_t *expected = json_text(texts[i]);
        assert_true(json_equal(json_object_get(data, "program"), expected));
        assert_true(json_equal(json_object_get(data, "replay"), expected));
        assert_int_equal(count(page, "<script"), count(clean, "<script"));
        assert_int_equal(count(page, "</script"), count(clean, "</script"));
        assert_int_equal(count(page, "<!--"), count(clean, "<!--"));
        json_decref(expected);
        json_decref(data);
        free(page);
        free(clean);
        trace_destroy(&trace);
    }
}

/* Valid UTF-8 is kept. Every byte that is not valid is replaced by a mark. */
static void texts_become_utf_8(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"\xf0\x9f\xa7\xb5", "\xf0\x9f\xa7\xb5"},
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xff\xc3\xbc", "\xef\xbf\xbd\xc3\xbc"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        json_t *value = json_text(pairs[i][0]);
        assert_string_equal(json_string_value(value), pairs[i][1]);
        json_decref(value);
    }
}

static void nothing_is_wrong(void **state) {
    (void)state;
    struct trace trace;
    sample_trace(&trace, 3);
    trace.finding = (struct finding){.kind = FINDING_KINDS, .task = NO_TASK};
    char *page = page_of(&trace, NULL);
    json_t *data = data_of(page);
    assert_true(json_is_null(json_object_get(data, "finding")));
    assert_true(json_is_null(json_object_get(data, "replay")));
    json_decref(data);
    free(page);
    trace_destroy(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_trace),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(texts_become_utf_8),
        cmocka_unit_test(nothing_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
