/* pool.h - memory that does not come from the C library.
 *
 * A pool hands out blocks from one contiguous range, which its owner has mapped. There are two
 * reasons for it. The engine lives inside the tested program, and must not touch the program's
 * heap. And everything that must outlive the death of that program is in one mapping that the
 * supervisor shares. The pool itself is at the start of its range, and has no pointers to the
 * outside.
 *
 * The sizes of blocks are powers of two, and three quarters of them. There is a free list for each
 * size. Blocks are never split or merged. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

enum { POOL_CLASSES = 80 };

struct free_block;

struct pool {
    char *start;
    size_t used;
    size_t limit;
    struct free_block *free_lists[POOL_CLASSES];
};

/* Makes a pool of `size` zeroed bytes at `range`, which the caller keeps mapped. */
struct pool *pool_init(void *range, size_t size);

/* A pool in memory of its own, for code that does not run inside a tested program. Pages that were
 * never touched cost nothing. */
struct pool *pool_map(size_t size);
void pool_unmap(struct pool *pool);

/* Zeroed memory, aligned to 16 bytes at least. Running out is a CHECK. */
void *pool_alloc(struct pool *pool, size_t size);

/* `size` is the size that the block was allocated with. */
void pool_free(struct pool *pool, void *block, size_t size);

void *pool_grow_now(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                    size_t element);

/* Grows the array `items` to at least `needed` elements, updates *capacity, and returns the
 * array. */
static inline void *pool_grow(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                              size_t element) {
    return needed <= *capacity ? items : pool_grow_now(pool, items, capacity, needed, element);
}

#endif
