/* sort.h - sorting in place, without other memory. The qsort of the C library may call malloc,
 * which belongs to the tested program (base/pool.h).
 *
 * Equal items may change places: a comparison that leaves no two items equal gives one result
 * only. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

enum { SORT_ITEM_MAX = 256 }; /* bytes of an item */

typedef int sort_compare(const void *a, const void *b);

void sort(void *items, size_t count, size_t size, sort_compare *compare);

#endif
