/* heddle_cmocka_cases.c - linked into programs of heddle_discover_tests(FRAMEWORK cmocka).
 *
 * cmocka has no option to list its cases or to choose one; only the program can choose, by a call.
 * So the linker sends calls of _cmocka_run_group_tests to this file (--wrap). The arguments are
 * read before `main`, so that they stand in the trace, and a replay chooses the same case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *wanted;
static int listing;

__attribute__((constructor)) static void look_at_arguments(int count, char **arguments) {
    static const char CASE[] = "--heddle-case=", LIST[] = "--heddle-list-cases";
    for (int i = 1; i < count; i++) {
        if (strncmp(arguments[i], CASE, strlen(CASE)) == 0)
            wanted = arguments[i] + strlen(CASE);
        listing |= strcmp(arguments[i], LIST) == 0;
    }
}

int __real__cmocka_run_group_tests(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction,
                                   CMFixtureFunction);
int __wrap__cmocka_run_group_tests(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction,
                                   CMFixtureFunction);

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown) {
    for (size_t i = 0; listing && i < count; i++)
        if (tests[i].test_func != NULL)
            printf("heddle case: %s\n", tests[i].name);
    if (listing)
        return 0;
    if (wanted != NULL)
        cmocka_set_test_filter(wanted);
    return __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
}
