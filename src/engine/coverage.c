/* coverage.c - see coverage.h. */
#include "engine/coverage.h"

struct coverage *coverage_create(struct pool *pool) {
    return pool_alloc(pool, sizeof(struct coverage));
}

static bool is_free(const struct coverage_row *row) {
    return (row->orders[0] | row->orders[1]) == 0;
}

static bool same_pair(const struct coverage_row *a, const struct coverage_row *b) {
    return a->places[0] == b->places[0] && a->places[1] == b->places[1] &&
           a->kinds[0] == b->kinds[0] && a->kinds[1] == b->kinds[1];
}

static uint32_t slot_of(const struct coverage_row *key) {
    uint64_t hash = key->places[0] * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 32) ^ key->places[1]) * 0xff51afd7ed558ccdu;
    hash = (hash ^ key->kinds[0] ^ (uint64_t)key->kinds[1] << 8) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(hash >> 32) % COVERAGE_SLOTS;
}

/* By place, then kind, then task. */
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
    uint32_t slot = slot_of(&key);
    while (!is_free(&coverage->rows[slot]) && !same_pair(&coverage->rows[slot], &key))
        slot = (slot + 1) % COVERAGE_SLOTS;
    struct coverage_row *row = &coverage->rows[slot];
    if (is_free(row)) {
        if (coverage->row_count == COVERAGE_ROWS_MAX) {
            coverage->unlisted++;
            return;
        }
        *row = key;
        coverage->row_count++;
    }
    row->orders[straight ? 0 : 1]++;
    row->open |= open;
}
