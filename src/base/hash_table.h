/* hash_table.h - a number for each 64-bit key.
 *
 * The user keeps its entries in an array of its own, and the table finds the number of an entry by
 * its key. So the entries stand close together, in the order in which they came. The table itself
 * has no order that a user could see: a user who wants all entries goes through its array.
 *
 * A key of more than 64 bits becomes a digest of 64 bits (hash_mix). Then several entries may have
 * one digest, and the user compares the whole keys:
 *
 *     const struct hash_slot *slot = hash_table_find(&table, digest);
 *     while (slot != NULL && !is_same(&entries[slot->value], key))
 *         slot = hash_table_next(&table, slot);
 *
 * How it works: open addressing with linear probing, at most half full. A slot belongs to a
 * generation, and a slot of an earlier generation is empty. So hash_table_clear(), which is called
 * for each execution, costs nothing. The memory comes from a pool.
 *
 * Left out: single entries cannot be removed. */
#ifndef BASE_HASH_TABLE_H
#define BASE_HASH_TABLE_H

#include <stdbool.h>

#include "base/pool.h"

struct hash_slot {
    uint64_t key;
    uint32_t value; /* whatever the user puts there */
    uint32_t generation;
};

struct hash_table {
    struct pool *pool; /* borrowed */
    struct hash_slot *slots;
    uint32_t mask;       /* the number of slots, a power of two, less one */
    uint32_t shift;      /* 64 less the bits of the mask */
    uint32_t count;      /* slots of this generation */
    uint32_t generation; /* from 1 on: 0 is a slot that was never used */
};

/* An empty table. */
void hash_table_init(struct hash_table *table, struct pool *pool);

void hash_table_grow(struct hash_table *table);
void hash_table_clear_slots(struct hash_table *table);

/* Forgets all entries. The memory stays. */
static inline void hash_table_clear(struct hash_table *table) {
    table->count = 0;
    if (__builtin_expect(++table->generation == 0, 0))
        hash_table_clear_slots(table);
}

/* Adds a word to a digest. */
static inline uint64_t hash_mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

static inline bool hash_slot_is_empty(const struct hash_table *table,
                                      const struct hash_slot *slot) {
    return slot->generation != table->generation;
}

/* From that slot on: the first slot that has the key or is empty. */
static inline struct hash_slot *hash_table_probe(const struct hash_table *table, uint64_t at,
                                                 uint64_t key) {
    struct hash_slot *slot = &table->slots[at & table->mask];
    while (!hash_slot_is_empty(table, slot) && slot->key != key)
        slot = &table->slots[++at & table->mask];
    return slot;
}

/* The upper bits of the product depend on all bits of the key. */
static inline uint64_t hash_table_home(const struct hash_table *table, uint64_t key) {
    return key * 0x9e3779b97f4a7c15u >> table->shift;
}

/* NULL if the key is not there. A slot is valid until the next one is added. */
static inline struct hash_slot *hash_table_find(const struct hash_table *table, uint64_t key) {
    struct hash_slot *slot = hash_table_probe(table, hash_table_home(table, key), key);
    return hash_slot_is_empty(table, slot) ? NULL : slot;
}

/* Another slot with the same key, or NULL. */
static inline struct hash_slot *hash_table_next(const struct hash_table *table,
                                                const struct hash_slot *last) {
    uint64_t at = (uint64_t)(last - table->slots) + 1;
    struct hash_slot *slot = hash_table_probe(table, at, last->key);
    return hash_slot_is_empty(table, slot) ? NULL : slot;
}

/* Adds a slot, although there may be one with this key. */
static inline struct hash_slot *hash_table_add(struct hash_table *table, uint64_t key,
                                               uint32_t value) {
    if (__builtin_expect(table->count * 2 > table->mask, 0))
        hash_table_grow(table);
    uint64_t at = hash_table_home(table, key);
    while (!hash_slot_is_empty(table, &table->slots[at]))
        at = (at + 1) & table->mask;
    table->count++;
    table->slots[at] = (struct hash_slot){key, value, table->generation};
    return &table->slots[at];
}

/* The slot of this key. A new one has the value 0. */
static inline struct hash_slot *hash_table_get(struct hash_table *table, uint64_t key) {
    struct hash_slot *slot = hash_table_find(table, key);
    return slot != NULL ? slot : hash_table_add(table, key, 0);
}

#endif
