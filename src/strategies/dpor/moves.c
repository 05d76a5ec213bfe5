/* moves.c - see moves.h. */
#include "strategies/dpor/moves.h"

#include <string.h>

#include "base/check.h"

/* --- labels --------------------------------------------------------------------------------- */

static void choose(struct pool *pool, struct label *label, const struct chosen *choices,
                   uint32_t choice_count) {
    if (choice_count != label->choice_count) {
        pool_free(pool, label->choices, label->choice_count * sizeof *choices);
        label->choices = choice_count ? pool_alloc(pool, choice_count * sizeof *choices) : NULL;
    }
    if (choice_count > 0)
        memcpy(label->choices, choices, choice_count * sizeof *choices);
    label->choice_count = (uint16_t)choice_count;
}

struct label *label_new(struct pool *pool, const struct event *event, const struct chosen *choices,
                        uint32_t choice_count) {
    struct label *label = pool_alloc(pool, sizeof *label);
    label->event = *event;
    choose(pool, label, choices, choice_count);
    return label;
}

void label_leave(struct pool *pool, struct label *label) {
    if (--label->users > 0 || label->kept)
        return;
    if (label->planned != NULL)
        label->planned->users--; /* it is kept */
    pool_free(pool, label->choices, label->choice_count * sizeof *label->choices);
    pool_free(pool, label, sizeof *label);
}

/* --- moves ---------------------------------------------------------------------------------- */

struct move *move_new(struct pool *pool, struct label *label) {
    struct move *move = pool_alloc(pool, sizeof *move);
    CHECK(label->event.task <= UINT16_MAX);
    move->label = label;
    move->task = (uint16_t)label->event.task;
    label->users++;
    return move;
}

struct move *move_ahead(struct pool *pool, uint32_t task, const struct op *op) {
    struct event event = {.op = *op, .task = task, .flags = EVENT_AHEAD};
    return move_new(pool, label_new(pool, &event, NULL, 0));
}

void move_happened(struct pool *pool, struct move *move, const struct event *event,
                   const struct chosen *choices, uint32_t choice_count) {
    struct label *label = move->label;
    if (label->users > 1 || label->kept) {
        label_leave(pool, label);
        move->label = label_new(pool, event, choices, choice_count);
        move->label->users = 1;
        return;
    }
    label->event = *event;
    choose(pool, label, choices, choice_count);
}

void move_append(struct move **list, struct move *move) {
    while (*list != NULL)
        list = &(*list)->next;
    *list = move;
}

/* Frees the moves depth first. The children of a move are put in front of what is left, so no stack
 * is needed. */
void moves_free(struct pool *pool, struct move *move) {
    while (move != NULL) {
        struct move *rest = move->next;
        if (move->child != NULL && move->child->sharers > 0) {
            move->child->sharers--;
        } else if (move->child != NULL) {
            move_append(&move->child, rest);
            rest = move->child;
        }
        label_leave(pool, move->label);
        pool_free(pool, move, sizeof *move);
        move = rest;
    }
}

void moves_leave(struct pool *pool, struct move *list) {
    if (list != NULL && list->sharers > 0)
        list->sharers--;
    else
        moves_free(pool, list);
}
