/* race_stacks.c - see race_stacks.h. */
#include "analyses/race_stacks.h"

#include <string.h>

void race_stacks_init(struct race_stacks *stacks, struct pool *pool) {
    *stacks = (struct race_stacks){.pool = pool, .frame_count = 1};
}

void race_stacks_clear(struct race_stacks *stacks) {
    if (stacks->stack_count > 0)
        memset(stacks->table, 0, stacks->table_capacity * sizeof *stacks->table);
    stacks->stack_count = 0;
    stacks->frame_count = 1;
}

static uint64_t hash(const uint64_t *pcs, uint64_t count) {
    uint64_t sum = count;
    for (uint64_t i = 0; i < count; i++)
        sum = (sum ^ pcs[i]) * 0x9e3779b97f4a7c15u + (sum >> 32);
    return sum ^ (sum >> 29);
}

static uint32_t *slot_of(struct race_stacks *stacks, const uint64_t *pcs, uint64_t count) {
    uint32_t mask = stacks->table_capacity - 1, i = (uint32_t)hash(pcs, count) & mask;
    for (;; i = (i + 1) & mask) {
        if (stacks->table[i] == 0)
            return &stacks->table[i];
        const uint64_t *there = stacks->frames + stacks->table[i];
        if (there[0] == count && memcmp(there + 1, pcs, count * sizeof *pcs) == 0)
            return &stacks->table[i];
    }
}

static void grow_table(struct race_stacks *stacks) {
    uint32_t old = stacks->table_capacity, wanted = old ? 2 * old : 64;
    pool_free(stacks->pool, stacks->table, old * sizeof *stacks->table);
    stacks->table = pool_alloc(stacks->pool, wanted * sizeof *stacks->table);
    stacks->table_capacity = wanted;
    for (uint32_t at = 1; at < stacks->frame_count; at += 1 + (uint32_t)stacks->frames[at])
        *slot_of(stacks, stacks->frames + at + 1, stacks->frames[at]) = at;
}

uint32_t race_stacks_add(struct race_stacks *stacks, const uint64_t *pcs, uint32_t count) {
    if (stacks->stack_count * 2 >= stacks->table_capacity)
        grow_table(stacks);
    uint32_t at = stacks->frame_count, *slot = slot_of(stacks, pcs, count);
    if (*slot != 0)
        return *slot;
    stacks->frames = pool_grow(stacks->pool, stacks->frames, &stacks->frame_capacity,
                               (size_t)at + count + 1, sizeof *stacks->frames);
    stacks->frames[at] = count;
    memcpy(stacks->frames + at + 1, pcs, count * sizeof *pcs);
    stacks->frame_count = at + count + 1;
    stacks->stack_count++;
    return *slot = at;
}
