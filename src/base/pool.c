/* pool.c - see pool.h. */
#include "base/pool.h"

#include <sys/mman.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/pages.h"

enum {
    SMALLEST_SHIFT = 4,
    /* An array of this size grows by this factor. What is not used yet costs no memory, only
     * addresses, and what the array leaves behind is small. */
    LARGE = 1 << 19,
    LARGE_FACTOR = 8,
};

/* Even classes are powers of two. Odd classes are three quarters of the next power, from 48 on. */
static unsigned class_of(size_t size) {
    enum { SMALLEST_ODD = 48 };
    if (size <= ((size_t)1 << SMALLEST_SHIFT))
        return 0;
    unsigned shift = 64 - (unsigned)__builtin_clzl(size - 1);
    size_t less = (size_t)3 << (shift - 2);
    return 2 * (shift - SMALLEST_SHIFT) - (size <= less && less >= SMALLEST_ODD);
}

static size_t size_of(unsigned class) {
    size_t size = (size_t)1 << (SMALLEST_SHIFT + (class + 1) / 2);
    return class % 2 ? size / 4 * 3 : size;
}

struct pool *pool_init(void *range, size_t size) {
    struct pool *pool = range;
    CHECK(size > sizeof *pool + 64);
    *pool = (struct pool){.start = range};
    pool->used = (sizeof *pool + 63) & ~(size_t)63;
    pool->limit = size;
    return pool;
}

struct pool *pool_map(size_t size) {
    void *range = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(range != MAP_FAILED);
    return pool_init(range, size);
}

void pool_unmap(struct pool *pool) {
    munmap(pool->start, pool->limit);
}

/* The block is aligned to the largest power of two that divides its size, but at most to a cache
 * line. */
static void *fresh(struct pool *pool, size_t size) {
    size_t alignment = size & -size;
    if (alignment > 64)
        alignment = 64;
    pool->used = (pool->used + alignment - 1) & ~(alignment - 1);
    CHECK(size <= pool->limit - pool->used);
    void *block = pool->start + pool->used;
    pool->used += size;
    return block;
}

/* A free block. */
struct free_block {
    struct free_block *next;
};

/* A large one: its memory was given back, so it is zeros but for its first page and its last. */
struct free_large_block {
    struct free_block block;
    bool given_back;
};

static void clear(struct free_block *block, size_t size) {
    enum { PAGE = 4096 };
    bool given_back = size >= LARGE && ((struct free_large_block *)block)->given_back;
    if (given_back) {
        bytes_clear((char *)block + size - PAGE, PAGE);
        size = PAGE;
    }
    bytes_clear(block, size);
}

void *pool_alloc(struct pool *pool, size_t size) {
    unsigned class = class_of(size);
    CHECK(class < POOL_CLASSES);
    struct free_block *block = pool->free_lists[class];
    if (block == NULL)
        return fresh(pool, size_of(class));
    pool->free_lists[class] = block->next;
    clear(block, size_of(class) >= LARGE ? size_of(class) : size);
    return block;
}

void pool_free(struct pool *pool, void *block, size_t size) {
    if (block == NULL)
        return;
    unsigned class = class_of(size);
    struct free_block *freed = block;
    freed->next = pool->free_lists[class];
    pool->free_lists[class] = freed;
    if (size_of(class) >= LARGE)
        ((struct free_large_block *)block)->given_back =
            pages_give_back(freed + 1, (char *)block + size_of(class));
}

void *pool_grow_now(struct pool *pool, void *items, uint32_t *capacity, size_t needed,
                    size_t element) {
    size_t wanted = *capacity ? *capacity : 8;
    while (wanted < needed)
        wanted *= wanted * element < LARGE ? 2 : LARGE_FACTOR;
    CHECK(wanted <= UINT32_MAX);
    void *grown = pool_alloc(pool, wanted * element);
    if (*capacity)
        bytes_copy(grown, items, *capacity * element);
    pool_free(pool, items, *capacity * element);
    *capacity = (uint32_t)wanted;
    return grown;
}
