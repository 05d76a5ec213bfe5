/* intervals.h - ranges of addresses, each with a number: which of them contain an address?
 *
 * The ranges of code are nested or disjoint. For such ranges, a query costs a binary search and a
 * look at the ranges around the address. */
#ifndef CLI_INTERVALS_H
#define CLI_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
    uint64_t low, end; /* low <= address < end */
    uint64_t reach;    /* after sorting: the largest end of this range and all before it */
    uint32_t number;
};

struct intervals {
    struct interval *list;
    size_t count, capacity;
};

void intervals_add(struct intervals *intervals, uint64_t low, uint64_t end, uint32_t number);

/* Must be called after the last range was added, and before the first query. */
void intervals_sort(struct intervals *intervals);
void intervals_destroy(struct intervals *intervals);

/* Returns the numbers of the ranges that contain the address, in ascending order, each once. At
 * most `limit` of them, the lowest. */
size_t intervals_at(const struct intervals *intervals, uint64_t address, uint32_t *numbers,
                    size_t limit);

#endif
