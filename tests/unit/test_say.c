/* test_say.c - estimates in words, from the smallest to more than anyone counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/base/say.h"

static void ranges(void **state) {
    char text[RANGE_SIZE];
    (void)state;
    assert_string_equal(say_range(0, 0, 0, "execution", text), "about 1 execution");
    assert_string_equal(say_range(0.2, 0, 3, "execution", text), "about 1 execution (1 to 3)");
    assert_string_equal(say_range(2, 1, 3, "execution", text), "about 2 executions (1 to 3)");
    assert_string_equal(say_range(12345, 9000, 20000, "execution", text),
                        "about 12,000 executions (9,000 to 20,000)");
    assert_string_equal(say_range(100, 50, 1e300, "execution", text),
                        "about 100 executions (50 or more)");
    assert_string_equal(say_range(1e300, 1e300, 1e300, "execution", text),
                        "more than 10^18 executions");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
