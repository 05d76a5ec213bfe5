/* test_sort.c - sorting in place, against the C library's qsort: lists of every small length, in
 * every kind of order, and items of different sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/sort.h"

enum { LENGTH_MAX = 500 };

static int compare_numbers(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Few different numbers, so that many are equal; equal numbers cannot be told apart. */
static void numbers(void **state) {
    uint32_t list[LENGTH_MAX], expected[LENGTH_MAX];
    struct random random;
    (void)state;
    random_seed(&random, 3);
    for (uint32_t length = 0; length < LENGTH_MAX; length++) {
        for (uint32_t i = 0; i < length; i++)
            list[i] = expected[i] = random_below(&random, length / 2 + 1);
        sort(list, length, sizeof *list, compare_numbers);
        qsort(expected, length, sizeof *expected, compare_numbers);
        assert_memory_equal(list, expected, length * sizeof *list);
    }
}

struct large {
    uint32_t key;
    uint8_t rest[SORT_ITEM_MAX - 4];
};

/* The rest of an item moves with its key. Lists that ascend, descend and go up and down. */
static void large_items(void **state) {
    static struct large list[LENGTH_MAX];
    (void)state;
    for (uint32_t order = 0; order < 3; order++) {
        for (uint32_t i = 0; i < LENGTH_MAX; i++) {
            list[i].key = order == 0 ? i : order == 1 ? LENGTH_MAX - 1 - i : i * 7 % LENGTH_MAX;
            memset(list[i].rest, (int)(list[i].key % 251), sizeof list[i].rest);
        }
        sort(list, LENGTH_MAX, sizeof *list, compare_numbers);
        for (uint32_t i = 0; i < LENGTH_MAX; i++) {
            assert_int_equal(list[i].key, i);
            for (size_t j = 0; j < sizeof list[i].rest; j++)
                assert_int_equal(list[i].rest[j], i % 251);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(large_items)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
