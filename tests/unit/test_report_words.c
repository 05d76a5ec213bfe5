/* test_report_words.c - the parts of reports: characters, lines of a page, names of files and
 * functions, and patterns of suppressions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/frame.h"
#include "reports/suppressions.h"
#include "reports/uri.h"
#include "reports/utf8.h"
#include "reports/wrap.h"
#include "sample_trace.h"
#include "trace/identity.h"

static void assert_valid(const char *text, const char *expected) {
    char *valid = utf8_valid(text);
    assert_string_equal(valid, expected);
    free(valid);
}

#define BAD "\xef\xbf\xbd"

static void test_utf8(void **state) {
    (void)state;
    assert_valid("a\xc3\xa9\xe6\x95\xb0\xf0\x9f\x98\x80", "a\xc3\xa9\xe6\x95\xb0\xf0\x9f\x98\x80");
    assert_valid("\xff", BAD);
    assert_valid("\xc3", BAD);                            /* cut off */
    assert_valid("\xc3(", BAD "(");                       /* no continuation byte */
    assert_valid("\xc0\xaf", BAD BAD);                    /* a slash in two bytes */
    assert_valid("\xed\xa0\x80", BAD BAD BAD);            /* a surrogate */
    assert_valid("\xf4\x90\x80\x80", BAD BAD BAD BAD);    /* beyond Unicode */
    assert_int_equal(utf8_text_width("e\xcc\x81"), 1);    /* an e and its combining accent */
    assert_int_equal(utf8_text_width("\xe6\x95\xb0"), 2); /* a wide character */
    assert_int_equal(utf8_fitting("\xe6\x95\xb0\xe6\x95\xb0", 3),
                     3); /* one character fits, two do not */
}

static void assert_wrapped(const char *text, uint32_t start, uint32_t indent,
                           const char *expected) {
    struct wrap_draft draft;
    wrap_text(text, start, indent, wrap_draft(&draft));
    assert_string_equal(wrap_drafted(&draft), expected);
    free(draft.text);
}

static void assert_cut(const char *text, uint32_t width, const char *expected) {
    struct wrap_draft draft;
    wrap_cut(text, width, wrap_draft(&draft));
    assert_string_equal(wrap_drafted(&draft), expected);
    free(draft.text);
}

static void test_wrap(void **state) {
    (void)state;
    assert_wrapped("one two", 73, 4, "one two"); /* 73 + 7 = 80 */
    assert_wrapped("one two", 74, 4, "one\n    two");
    assert_wrapped("one two", 76, 4, "one\n    two");
    assert_wrapped("abcdefgh", 76, 0, "abcd\nefgh"); /* no blank: broken where the line ends */
    assert_wrapped("a\nb", 0, 2, "a\n  b");
    assert_wrapped("", 0, 2, "");
    assert_wrapped("ab", 80, 79,
                   "a\n                                                             "
                   "                  b"); /* makes progress even in one column */
    assert_cut("abcdef", 6, "abcdef");
    assert_cut("abcdefg", 6, "abc...");
    assert_cut("abcdefg", 2, "ab");
}

static void assert_plain(const char *path, const char *expected) {
    char *plain = uri_plain_path(path);
    assert_string_equal(plain, expected);
    free(plain);
}

static void test_uri(void **state) {
    (void)state;
    assert_plain("/a/b/../c/./d//e.c", "/a/c/d/e.c");
    assert_plain("/../a", "/a");
    assert_plain("/a/..", "/");
    assert_plain("../a/./b.c", "../a/b.c"); /* the base is unknown, so ".." is kept */
    assert_string_equal(uri_below("/a/b/c.c", "/a/b"), "c.c");
    assert_string_equal(uri_below("/a/b", "/"), "a/b");
    assert_null(uri_below("/a/bc/d.c", "/a/b"));
    assert_null(uri_below("/a/b", "/a/b"));
    char *escaped = uri_escaped("a b/%\xc3\xbc#?:.c");
    assert_string_equal(escaped, "a%20b/%25%C3%BC%23%3F%3A.c");
    free(escaped);
    char *uri = uri_of_file("/a b", true);
    assert_string_equal(uri, "file:///a%20b/");
    free(uri);
}

/* True if a suppression file with this content suppresses the sample. */
static bool suppresses(const char *line) {
    char path[] = "/tmp/heddle-test-XXXXXX", error[200], fingerprint[IDENTITY_SIZE];
    struct suppressions suppressions;
    struct trace trace;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line));
    close(fd);
    if (!suppressions_read(&suppressions, path, error, sizeof error))
        fail_msg("%s", error);
    unlink(path);
    sample_trace(&trace, 3);
    identity_of(&trace, fingerprint);
    bool match = suppressions_match(&suppressions, &trace, fingerprint) != NULL;
    trace_destroy(&trace);
    suppressions_destroy(&suppressions);
    return match;
}

/* The sample is a deadlock of `first` (abba.c:13) and `second` (abba.c:22) about `a` and
 * `locks[2]`. */
static void test_suppressions(void **state) {
    (void)state;
    static const char *const good[] = {
        "deadlock:first",         "deadlock:second",     "deadlock:abba.c",
        "deadlock:abba.c:13",     "deadlock:*.c:22",     "deadlock:a",
        "deadlock:locks[2]",      "deadlock:*",          "*:f*r*t",
        "deadlock:/src/*",        "deadlock:src/abba.c", "deadlock:2 tasks wait*",
        "# x\n\ndeadlock:first\n"};
    static const char *const bad[] = {"deadlock:fir",   "deadlock:irst",       "deadlock:bba.c",
                                      "deadlock:c:13",  "deadlock:abba.c:1",   "data-race:first",
                                      "deadlock:f*x",   "deadlock:locks",      "",
                                      "deadlock:FIRST", "deadlock:first first"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!suppresses(good[i]))
            fail_msg("'%s' does not match", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (suppresses(bad[i]))
            fail_msg("'%s' matches", bad[i]);
}

/* A function name that does not fit loses its parameters and template arguments, and nothing
 * else. */
static void assert_frame(const char *function, const char *expected) {
    struct trace trace = {.directory = ""};
    struct trace_frame frame = {.function = function, .file = "", .module = "program+0x2b35"};
    struct wrap_draft draft;
    frame_print(&trace, 1, &frame, 4, wrap_draft(&draft));
    assert_string_equal(wrap_drafted(&draft), expected);
    free(draft.text);
}

#define LONG "std::tuple<some_long_name, another_long_name, another_long_name_still>"

static void test_frame(void **state) {
    (void)state;
    assert_frame("f(int)", "    #1 f(int) (program+0x2b35)");
    assert_frame("f(" LONG ")", "    #1 f (program+0x2b35)");
    assert_frame("void g::f<" LONG " >(int)", "    #1 g::f<...> (program+0x2b35)");
    assert_frame("decltype ((g<" LONG " >({parm#1}))(a)) std::f<int>(int)",
                 "    #1 std::f<...> (program+0x2b35)");
    assert_frame("(anonymous namespace)::f(" LONG ")",
                 "    #1 (anonymous namespace)::f (program+0x2b35)");
    assert_frame("g(" LONG ")::{lambda(int)#1}::f(int)",
                 "    #1 g::{lambda(int)#1}::f (program+0x2b35)");
    assert_frame("f<" LONG, "    #1 f<...> (program+0x2b35)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8),  cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_uri),   cmocka_unit_test(test_suppressions),
        cmocka_unit_test(test_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
