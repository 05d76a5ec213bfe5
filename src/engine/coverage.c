/* coverage.c - see coverage.h. */
#include "engine/coverage.h"

#include "base/pool.h"
#include "event/event.h"

struct coverage *coverage_create(struct pool *pool) {
    struct coverage *coverage = pool_alloc(pool, sizeof *coverage);
    hash_table_init(&coverage->row_numbers, pool);
    return coverage;
}

static bool same_pair(const struct coverage_row *a, const struct coverage_row *b) {
    return a->places[0] == b->places[0] && a->places[1] == b->places[1] &&
           a->kinds[0] == b->kinds[0] && a->kinds[1] == b->kinds[1];
}

static uint64_t digest_of(const struct coverage_row *key) {
    uint64_t kinds = key->kinds[0] | (uint64_t)key->kinds[1] << 8;
    return hash_mix(hash_mix(kinds, key->places[0]), key->places[1]);
}

static struct coverage_row *find_row(struct coverage *coverage, uint64_t digest,
                                     const struct coverage_row *key) {
    const struct hash_slot *slot = hash_table_find(&coverage->row_numbers, digest);
    while (slot != NULL && !same_pair(&coverage->rows[slot->value], key))
        slot = hash_table_next(&coverage->row_numbers, slot);
    return slot != NULL ? &coverage->rows[slot->value] : NULL;
}

/* The row of this pair. A new row has no order yet. Returns NULL if there is no room. */
static struct coverage_row *row_for(struct coverage *coverage, const struct coverage_row *key) {
    uint64_t digest = digest_of(key);
    struct coverage_row *row = find_row(coverage, digest, key);
    if (row != NULL || coverage->row_count == COVERAGE_ROWS_MAX)
        return row;
    row = &coverage->rows[coverage->row_count];
    *row = *key;
    row->orders[0] = row->orders[1] = 0;
    hash_table_add(&coverage->row_numbers, digest, coverage->row_count++);
    return row;
}

/* Compares by place, then kind, then task. */
static bool in_order(const struct event *a, const struct event *b) {
    if (a->op.pc != b->op.pc)
        return a->op.pc < b->op.pc;
    return a->op.kind != b->op.kind ? a->op.kind < b->op.kind : a->task < b->task;
}

void coverage_add(struct coverage *coverage, const struct event *first, const struct event *second,
                  uint64_t object, bool open) {
    bool straight = in_order(first, second);
    const struct event *low = straight ? first : second, *high = straight ? second : first;
    const struct coverage_row key = {.places = {low->op.pc, high->op.pc},
                                     .object = object,
                                     .tasks = {low->task, high->task},
                                     .kinds = {low->op.kind, high->op.kind}};
    struct coverage_row *row = row_for(coverage, &key);
    if (row == NULL) {
        coverage->unlisted++;
        return;
    }
    row->orders[straight ? 0 : 1]++;
    row->open |= open;
}

void coverage_merge(struct coverage *into, const struct coverage *from) {
    into->executions += from->executions;
    into->left_out += from->left_out;
    into->unlisted += from->unlisted;
    into->idle |= from->idle;
    for (uint32_t i = 0; i < from->row_count; i++) {
        const struct coverage_row *pair = &from->rows[i];
        struct coverage_row *row = row_for(into, pair);
        if (row == NULL) {
            into->unlisted += pair->orders[0] + pair->orders[1];
            continue;
        }
        row->orders[0] += pair->orders[0];
        row->orders[1] += pair->orders[1];
        row->open |= pair->open;
    }
}
