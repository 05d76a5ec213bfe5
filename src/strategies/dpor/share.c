/* share.c - see share.h.
 *
 * Lists are compared from the leaves up: a list has its turn when the lists behind its moves have
 * had theirs. Then equal lists have the same pointers, and comparing them needs no descent. */
#include "strategies/dpor/share.h"

/* The least number of moves that are worth the comparison. Tests have a smaller one. */
#ifndef SHARE_MOVES_MIN
#define SHARE_MOVES_MIN (1 << 12)
#endif

/* In a place of share->open: the lists behind the list there are compared already. */
enum { OPENED = 1 };

void share_init(struct share *share, struct pool *pool) {
    *share = (struct share){.pool = pool, .limit = SHARE_MOVES_MIN, .round = 1};
    hash_table_init(&share->digests, pool);
}

/* --- changing ------------------------------------------------------------------------------- */

void share_own(struct share *share, struct move **list) {
    struct move *shared = *list;
    if (shared == NULL || shared->sharers == 0)
        return;
    shared->sharers--;
    for (; shared != NULL; shared = shared->next) {
        *list = move_new(share->pool, shared->label);
        (*list)->counted_on = shared->counted_on;
        (*list)->child = shared->child;
        if (shared->child != NULL)
            shared->child->sharers++;
        list = &(*list)->next;
        share->made++;
    }
}

void way_take(struct share *share, uint32_t place, struct move *move) {
    share->way = pool_grow(share->pool, share->way, &share->way_capacity,
                           (size_t)share->way_count + 1, sizeof *share->way);
    share->way[share->way_count++] = place;
    share->way_move = move;
    share->way_shared |= move->child != NULL && move->child->sharers > 0;
}

struct move *way_last(struct share *share, struct move **tree) {
    struct move *move = share->way_move;
    for (uint32_t i = 0; i < share->way_count && share->way_shared; i++) {
        if (i > 0)
            share_own(share, tree);
        move = *tree;
        for (uint32_t place = share->way[i]; place > 0; place--)
            move = move->next;
        tree = &move->child;
    }
    return move;
}

struct move **way_behind(struct share *share, struct move **tree) {
    if (share->way_count == 0)
        return tree;
    struct move **list = &way_last(share, tree)->child;
    share_own(share, list);
    return list;
}

void share_begin(struct share *share) {
    share->round = share->round == 1 ? 2 : 1;
    share->list_count = share->left = share->made = 0;
    hash_table_clear(&share->digests);
}

void share_end(struct share *share) {
    share->limit = share->left > SHARE_MOVES_MIN ? share->left : SHARE_MOVES_MIN;
}

static uint64_t digest_list(const struct move *list) {
    uint64_t digest = 0;
    for (; list != NULL; list = list->next) {
        digest = hash_mix(digest, (uintptr_t)list->label | list->counted_on);
        digest = hash_mix(digest, (uintptr_t)list->child);
    }
    return digest;
}

static bool is_same_move(const struct move *a, const struct move *b) {
    return a->label == b->label && a->child == b->child && a->counted_on == b->counted_on;
}

static bool is_same_list(const struct move *a, const struct move *b) {
    for (; a != NULL && b != NULL && is_same_move(a, b); a = a->next)
        b = b->next;
    return a == NULL && b == NULL;
}

static void keep(struct share *share, struct move *list, uint64_t digest) {
    share->lists = pool_grow(share->pool, share->lists, &share->list_capacity,
                             (size_t)share->list_count + 1, sizeof(struct move *));
    hash_table_add(&share->digests, digest, share->list_count);
    share->lists[share->list_count++] = list;
    list->compared = share->round;
    for (const struct move *move = list; move != NULL; move = move->next)
        share->left++;
}

/* Puts a list that is kept in the place of an equal one, or keeps this one. */
static void settle(struct share *share, struct move **place) {
    struct move *list = *place;
    uint64_t digest = digest_list(list);
    const struct hash_slot *slot = hash_table_find(&share->digests, digest);
    while (slot != NULL && !is_same_list(share->lists[slot->value], list))
        slot = hash_table_next(&share->digests, slot);
    if (slot == NULL) {
        keep(share, list, digest);
        return;
    }
    *place = share->lists[slot->value];
    (*place)->sharers++;
    moves_leave(share->pool, list);
}

static void open_list(struct share *share, struct move **place) {
    if (*place == NULL || (*place)->compared == share->round)
        return;
    share->open = pool_grow(share->pool, share->open, &share->open_capacity,
                            (size_t)share->open_count + 1, sizeof *share->open);
    share->open[share->open_count++] = (uintptr_t)place;
}

static void open_behind(struct share *share, struct move *list) {
    for (; list != NULL; list = list->next)
        open_list(share, &list->child);
}

void share_tree(struct share *share, struct move *tree) {
    open_behind(share, tree);
    while (share->open_count > 0) {
        uintptr_t top = share->open[share->open_count - 1];
        struct move **place = (struct move **)(top & ~(uintptr_t)OPENED);
        if ((*place)->compared == share->round) { /* by another way to it */
            share->open_count--;
        } else if (top & OPENED) {
            share->open_count--;
            settle(share, place);
        } else {
            share->open[share->open_count - 1] = top | OPENED;
            open_behind(share, *place);
        }
    }
}
