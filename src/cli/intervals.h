/* intervals.h - ranges of addresses, each with a number; which of them contain an address?
 *
 * For ranges that are nested or apart, as those of code are, a question costs a binary search and a look at the
 * ranges around the address. */
#ifndef CLI_INTERVALS_H
#define CLI_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
    uint64_t low, end; /* low <= address < end */
    uint64_t reach;    /* the largest end of this and all before it, once sorted */
    uint32_t number;
};

struct intervals {
    struct interval *list;
    size_t count, capacity;
};

void intervals_add(struct intervals *intervals, uint64_t low, uint64_t end, uint32_t number);

/* After the last one was added, and before the first question. */
void intervals_sort(struct intervals *intervals);
void intervals_destroy(struct intervals *intervals);

/* The numbers of those that contain the address, in ascending order, each once; at most `limit`, the lowest. */
size_t intervals_at(const struct intervals *intervals, uint64_t address, uint32_t *numbers,
                    size_t limit);

#endif
