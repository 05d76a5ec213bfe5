/* pool.c - see pool.h. */
#include "base/pool.h"

#include <string.h>

#include "base/check.h"

enum { SMALLEST_SHIFT = 4 };

static unsigned class_of(size_t size) {
    if (size <= ((size_t)1 << SMALLEST_SHIFT))
        return SMALLEST_SHIFT;
    return 64 - (unsigned)__builtin_clzl(size - 1);
}

struct pool *pool_init(void *range, size_t size) {
    struct pool *pool = range;
    CHECK(size > sizeof *pool + 64);
    memset(pool, 0, sizeof *pool);
    pool->start = range;
    pool->used = (sizeof *pool + 63) & ~(size_t)63;
    pool->limit = size;
    return pool;
}

static void *fresh(struct pool *pool, size_t size) {
    if (size >= 64)
        pool->used = (pool->used + 63) & ~(size_t)63;
    CHECK(size <= pool->limit - pool->used);
    void *block = pool->start + pool->used;
    pool->used += size;
    return block;
}

void *pool_alloc(struct pool *pool, size_t size) {
    unsigned class = class_of(size);
    CHECK(class < POOL_CLASSES);
    void *block = pool->free_lists[class];
    if (block == NULL)
        return fresh(pool, (size_t)1 << class);
    pool->free_lists[class] = *(void **)block;
    memset(block, 0, size);
    return block;
}

void pool_free(struct pool *pool, void *block, size_t size) {
    if (block == NULL)
        return;
    unsigned class = class_of(size);
    *(void **)block = pool->free_lists[class];
    pool->free_lists[class] = block;
}

void *pool_grow_now(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                    size_t element) {
    size_t wanted = *capacity ? *capacity : 8;
    while (wanted < needed)
        wanted *= 2;
    CHECK(wanted <= UINT32_MAX);
    void *grown = pool_alloc(pool, wanted * element);
    if (*capacity)
        memcpy(grown, items, *capacity * element);
    pool_free(pool, items, *capacity * element);
    *capacity = (uint32_t)wanted;
    return grown;
}
