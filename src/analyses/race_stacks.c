/* race_stacks.c - see race_stacks.h. */
#include "analyses/race_stacks.h"

#include <string.h>

void race_stacks_init(struct race_stacks *stacks, struct pool *pool) {
    *stacks = (struct race_stacks){.pool = pool, .frame_count = 1};
    hash_table_init(&stacks->begins, pool);
}

void race_stacks_clear(struct race_stacks *stacks) {
    hash_table_clear(&stacks->begins);
    stacks->frame_count = 1;
}

static uint64_t digest_of(const uint64_t *pcs, uint32_t count) {
    uint64_t digest = count;
    for (uint32_t i = 0; i < count; i++)
        digest = hash_mix(digest, pcs[i]);
    return digest;
}

static bool stands_at(const struct race_stacks *stacks, uint32_t at, const uint64_t *pcs,
                      uint32_t count) {
    const uint64_t *there = stacks->frames + at;
    return there[0] == count && memcmp(there + 1, pcs, count * sizeof *pcs) == 0;
}

static uint32_t append(struct race_stacks *stacks, const uint64_t *pcs, uint32_t count) {
    uint32_t at = stacks->frame_count;
    stacks->frames = pool_grow(stacks->pool, stacks->frames, &stacks->frame_capacity,
                               (size_t)at + count + 1, sizeof *stacks->frames);
    stacks->frames[at] = count;
    memcpy(stacks->frames + at + 1, pcs, count * sizeof *pcs);
    stacks->frame_count = at + count + 1;
    return at;
}

uint32_t race_stacks_add(struct race_stacks *stacks, const uint64_t *pcs, uint32_t count) {
    uint64_t digest = digest_of(pcs, count);
    const struct hash_slot *slot = hash_table_find(&stacks->begins, digest);
    while (slot != NULL && !stands_at(stacks, slot->value, pcs, count))
        slot = hash_table_next(&stacks->begins, slot);
    if (slot == NULL)
        slot = hash_table_add(&stacks->begins, digest, append(stacks, pcs, count));
    return slot->value;
}
