/* sort.c - see sort.h. Shell's sort, since most lists here are almost in order. */
#include "base/sort.h"

#include "base/bytes.h"
#include "base/check.h"

static void sort_by_gap(char *items, size_t count, size_t size, size_t gap, sort_compare *compare) {
    _Alignas(16) char item[SORT_ITEM_MAX];
    for (size_t i = gap; i < count; i++) {
        size_t at = i;
        bytes_copy(item, items + i * size, size);
        for (; at >= gap && compare(items + (at - gap) * size, item) > 0; at -= gap)
            bytes_copy(items + at * size, items + (at - gap) * size, size);
        bytes_copy(items + at * size, item, size);
    }
}

/* The gaps are 1, 4, 13, 40, ... (Knuth). */
void sort(void *items, size_t count, size_t size, sort_compare *compare) {
    size_t gap = 1;
    CHECK(size <= SORT_ITEM_MAX);
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        sort_by_gap(items, count, size, gap, compare);
}
