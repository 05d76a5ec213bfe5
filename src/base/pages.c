/* pages.c - see pages.h. Linux gives shared memory huge pages on request only: the pages
 * are touched first, and then collapsed into a huge one (since Linux 6.1). */
#include "base/pages.h"

#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { PAGE = 4 << 10, HUGE_PAGE = 2 << 20 };

uint64_t pages_make_huge(uint64_t from, uint64_t to) {
    from = (from + HUGE_PAGE - 1) & ~(uint64_t)(HUGE_PAGE - 1);
    to &= ~(uint64_t)(HUGE_PAGE - 1);
    if (from >= to)
        return from;
    madvise((void *)from, to - from, MADV_COLLAPSE);
    return to;
}

bool pages_give_back(const void *from, const void *to) {
    uint64_t start = ((uint64_t)from + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    uint64_t end = (uint64_t)to & ~(uint64_t)(PAGE - 1);
    return start < end && madvise((void *)start, end - start, MADV_REMOVE) == 0;
}
