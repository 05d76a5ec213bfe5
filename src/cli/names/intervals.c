/* intervals.c - see intervals.h. */
#include "cli/names/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

void intervals_add(struct intervals *intervals, uint64_t low, uint64_t end, uint32_t number) {
    if (low >= end)
        return;
    if (intervals->count == intervals->capacity) {
        intervals->capacity = intervals->capacity ? 2 * intervals->capacity : 64;
        intervals->list = realloc(intervals->list, intervals->capacity * sizeof *intervals->list);
        CHECK(intervals->list);
    }
    intervals->list[intervals->count++] =
        (struct interval){.low = low, .end = end, .number = number};
}

static int compare(const void *a, const void *b) {
    const struct interval *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void intervals_sort(struct intervals *intervals) {
    uint64_t reach = 0;
    if (intervals->count > 0)
        qsort(intervals->list, intervals->count, sizeof *intervals->list, compare);
    for (size_t i = 0; i < intervals->count; i++) {
        reach = intervals->list[i].end > reach ? intervals->list[i].end : reach;
        intervals->list[i].reach = reach;
    }
}

void intervals_destroy(struct intervals *intervals) {
    free(intervals->list);
    *intervals = (struct intervals){0};
}

/* Returns how many ranges begin at or before the address. */
static size_t begun(const struct intervals *intervals, uint64_t address) {
    size_t low = 0, high = intervals->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (intervals->list[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Inserts a number and keeps the list sorted. If the list is full, the highest number is
 * dropped. */
static size_t insert(uint32_t *numbers, size_t count, size_t limit, uint32_t number) {
    size_t at = count;
    while (at > 0 && numbers[at - 1] > number)
        at--;
    if ((at > 0 && numbers[at - 1] == number) || at == limit)
        return count;
    size_t kept = count < limit ? count : limit - 1;
    memmove(numbers + at + 1, numbers + at, (kept - at) * sizeof *numbers);
    numbers[at] = number;
    return kept + 1;
}

size_t intervals_at(const struct intervals *intervals, uint64_t address, uint32_t *numbers,
                    size_t limit) {
    size_t count = 0;
    for (size_t i = begun(intervals, address); i > 0 && intervals->list[i - 1].reach > address; i--)
        if (intervals->list[i - 1].end > address)
            count = insert(numbers, count, limit, intervals->list[i - 1].number);
    return count;
}
