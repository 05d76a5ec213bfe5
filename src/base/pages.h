/* pages.h - what we ask of the system for large arrays.
 *
 * The processor remembers where its latest pages are. A large array that is read all over has far
 * more pages of 4 KB than that, so that most reads look up their page first. In pages of 2 MB, the
 * same array has few. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* Moves memory that is in use, from one address to another, to huge pages. Only whole huge pages
 * are moved. Returns the address behind the last one. Where the system has none to give, nothing
 * changes but the speed. */
uint64_t pages_make_huge(uint64_t from, uint64_t to);

/* Gives the shared memory between these addresses back, in whole pages, which are zeros when they
 * are touched again. Returns false if nothing has changed. */
bool pages_give_back(const void *from, const void *to);

#endif
