/* test_pool.c - blocks of a pool are aligned, zeroed, do not overlap, are reused, and are not much
 * larger than requested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "unit/harness.h"

enum { BLOCKS = 4000, ROUNDS = 5, LARGEST = 5000 };

struct block {
    unsigned char *start;
    size_t size;
};

static void check_and_fill(struct block *block, size_t number) {
    assert_int_equal((uintptr_t)block->start % 16, 0);
    for (size_t i = 0; i < block->size; i++)
        assert_int_equal(block->start[i], 0);
    memset(block->start, (int)(number % 255) + 1, block->size);
}

static void check_filled(const struct block *block, size_t number) {
    for (size_t i = 0; i < block->size; i++)
        assert_int_equal(block->start[i], number % 255 + 1);
}

/* Blocks never overlap, in any order of freeing and allocating. */
static void blocks_are_apart(void **state) {
    static struct block blocks[BLOCKS];
    struct pool *pool = pool_open();
    struct random random;
    (void)state;
    random_seed(&random, 1);
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < BLOCKS; i++) {
            if (blocks[i].start != NULL) {
                check_filled(&blocks[i], i);
                pool_free(pool, blocks[i].start, blocks[i].size);
            }
            blocks[i].size = 1 + random_below(&random, LARGEST);
            blocks[i].start = pool_alloc(pool, blocks[i].size);
            check_and_fill(&blocks[i], i);
        }
    }
    for (size_t i = 0; i < BLOCKS; i++)
        check_filled(&blocks[i], i);
    pool_close(pool);
}

/* A block that was freed is used again for a request of the same size. */
static void blocks_come_again(void **state) {
    struct pool *pool = pool_open();
    (void)state;
    for (size_t size = 1; size < LARGEST; size++) {
        void *block = pool_alloc(pool, size);
        size_t used = pool->used;
        pool_free(pool, block, size);
        assert_ptr_equal(pool_alloc(pool, size), block);
        assert_int_equal(pool->used, used);
        pool_free(pool, block, size);
    }
    pool_close(pool);
}

/* A block of more than 32 bytes is at least as large as requested, and less than half as large
 * again. */
static void blocks_fit(void **state) {
    (void)state;
    for (size_t size = 33; size < LARGEST; size++) {
        struct pool *pool = pool_open();
        char *first = pool_alloc(pool, size), *second = pool_alloc(pool, size);
        assert_true(second - first >= (ptrdiff_t)size);
        assert_true(second - first < (ptrdiff_t)(size + size / 2));
        pool_close(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_apart),
        cmocka_unit_test(blocks_come_again),
        cmocka_unit_test(blocks_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
