/* pool.h - memory that is not the C library's.
 *
 * A pool hands out blocks from one contiguous range that its owner mapped. It exists because the
 * engine lives inside the tested program, whose heap it must not touch, and because everything that
 * must outlive the death of that program stands in one mapping shared with the supervisor. The pool
 * itself stands at the start of its range and holds no pointers out of it.
 *
 * Blocks come in powers of two and in three quarters of them, and go back to a free list each; nothing is
 * ever split or merged. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

enum { POOL_CLASSES = 80 };

struct pool {
    char *start;
    size_t used;
    size_t limit;
    void *free_lists[POOL_CLASSES];
};

/* Makes a pool of `size` zeroed bytes at `range`, which the caller keeps mapped. */
struct pool *pool_init(void *range, size_t size);

/* Zeroed memory, aligned to 16 bytes at least. Running out is a CHECK. */
void *pool_alloc(struct pool *pool, size_t size);

/* `size` is what was asked for. */
void pool_free(struct pool *pool, void *block, size_t size);

void *pool_grow_now(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                    size_t element);

/* The array behind `items` with room for at least `needed` elements; *capacity is updated. */
static inline void *pool_grow(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                              size_t element) {
    return needed <= *capacity ? items : pool_grow_now(pool, items, capacity, needed, element);
}

#endif
