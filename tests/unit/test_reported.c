/* test_reported.c - a reported finding keeps what its trace knew, after the trace is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/reported.h"
#include "sample_trace.h"

/* Adds the finding of the sample trace and destroys the trace. */
static struct reported *add(struct reported_list *list, enum finding_kind kind, const char *text,
                            const char *wrote) {
    struct trace trace;
    sample_trace(&trace, 3);
    trace.finding.kind = kind;
    strcpy(trace.finding.text, text);
    trace.wrote_count = 0;
    if (wrote != NULL)
        for (int i = 0; i < 2; i++)
            *(const char **)TRACE_ADD(trace.wrote, trace.wrote_count) = trace_copy(&trace, wrote);
    struct reported *reported = reported_add(list, &trace);
    trace_destroy(&trace);
    return reported;
}

static void outlives_its_trace(void **state) {
    struct reported_list list = {0};
    struct trace trace;
    char fingerprint[IDENTITY_SIZE];
    const struct reported *reported = add(&list, FINDING_DEADLOCK, "both wait", "a line");
    (void)state;
    sample_trace(&trace, 3);
    strcpy(trace.finding.text, "both wait");
    identity_of(&trace, fingerprint);
    const struct trace_frame *place = trace_finding_place(&trace);
    assert_int_equal(reported->kind, trace.finding.kind);
    assert_string_equal(reported->fingerprint, fingerprint);
    assert_string_equal(reported->message, "both wait");
    assert_string_equal(reported->function, place->function);
    assert_string_equal(reported->file, place->file);
    assert_int_equal(reported->line, place->line);
    assert_int_equal(reported->switches, trace_switches(&trace));
    assert_string_equal(reported->wrote, "a line\na line");
    assert_int_equal(strncmp(reported->summary, "SUMMARY: heddle: deadlock", 25), 0);
    trace_destroy(&trace);
    reported_destroy(&list);
}

/* Facts that no trace holds are absent until the caller sets them. */
static void leaves_the_rest_to_the_caller(void **state) {
    struct reported_list list = {0};
    const struct reported *reported = add(&list, FINDING_DEADLOCK, "", NULL);
    (void)state;
    assert_string_equal(reported->message, finding_info(reported->kind)->title);
    assert_null(reported->wrote);
    assert_null(reported->because);
    assert_null(reported->trace);
    assert_null(reported->report);
    assert_null(reported->found_by);
    assert_int_equal(reported->delays, -1);
    assert_int_equal(reported->again, 0);
    reported_destroy(&list);
}

static void is_found_by_its_fingerprint(void **state) {
    struct reported_list list = {0};
    char first[IDENTITY_SIZE], second[IDENTITY_SIZE];
    (void)state;
    strcpy(first, add(&list, FINDING_DEADLOCK, "", NULL)->fingerprint);
    strcpy(second, add(&list, FINDING_LIVELOCK, "", NULL)->fingerprint);
    assert_string_not_equal(first, second);
    assert_ptr_equal(reported_named(&list, first), &list.at[0]);
    assert_ptr_equal(reported_named(&list, second), &list.at[1]);
    assert_null(reported_named(&list, "0000000000000000"));
    reported_destroy(&list);
    assert_null(reported_named(&list, first));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlives_its_trace),
        cmocka_unit_test(leaves_the_rest_to_the_caller),
        cmocka_unit_test(is_found_by_its_fingerprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
