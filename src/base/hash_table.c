/* hash_table.c - see hash_table.h. */
#include "base/hash_table.h"

#include "base/bytes.h"
#include "base/check.h"

enum { FIRST_BITS = 6, BITS_MAX = 31 };

static size_t bytes_of(const struct hash_table *table) {
    return ((size_t)table->mask + 1) * sizeof *table->slots;
}

static void allocate(struct hash_table *table, uint32_t bits) {
    CHECK(bits <= BITS_MAX);
    table->mask = ((uint32_t)1 << bits) - 1;
    table->shift = 64 - bits;
    table->count = 0;
    table->slots = pool_alloc(table->pool, bytes_of(table));
}

void hash_table_init(struct hash_table *table, struct pool *pool) {
    *table = (struct hash_table){.pool = pool, .generation = 1};
    allocate(table, FIRST_BITS);
}

void hash_table_grow(struct hash_table *table) {
    const struct hash_table old = *table;
    allocate(table, 64 - old.shift + 1);
    for (uint32_t i = 0; i <= old.mask; i++)
        if (!hash_slot_is_empty(&old, &old.slots[i]))
            hash_table_add(table, old.slots[i].key, old.slots[i].value);
    pool_free(old.pool, old.slots, bytes_of(&old));
}

/* The generations have come round after 2^32 executions. */
void hash_table_clear_slots(struct hash_table *table) {
    bytes_clear(table->slots, bytes_of(table));
    table->generation = 1;
}
