/* own_pool.c - see own_pool.h. */
#include "substrates/native/memory/own_pool.h"

#include "substrates/native/memory/memory.h"

#define OWN_POOL_SIZE ((uint64_t)1 << 30) /* of address space */

struct pool *own_pool(void) {
    static struct pool *pool;
    if (pool == NULL)
        pool = pool_init(memory_map(0, OWN_POOL_SIZE), OWN_POOL_SIZE);
    return pool;
}
