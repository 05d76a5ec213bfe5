/* stack.c - see stack.h. */
#include "strategies/dpor/stack.h"

#include "base/check.h"
#include "event/dependence.h"

void push_frame(struct dpor *self) {
    self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                             (size_t)self->depth + 1, sizeof *self->frames);
    self->frames[self->depth++] = (struct frame){
        .sleeper_first = self->sleeper_count,
        .choice_first = self->choice_count,
        .decision = self->decisions,
    };
}

void pop_frame(struct dpor *self) {
    struct frame *frame = top_of(self);
    moves_free(self->pool, frame->tree);
    moves_free(self->pool, frame->done);
    free_spares(self, frame->spares);
    self->sleeper_count = frame->sleeper_first;
    self->choice_count = frame->choice_first;
    self->depth--;
}

/* --- sleeping tasks ------------------------------------------------------------------------- */

bool begins(const struct move *move, const struct chosen *choices, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (i >= move->label->choice_count || move->label->choices[i].value != choices[i].value)
            return false;
    return true;
}

bool asleep(const struct dpor *self, uint32_t frame, uint32_t task, struct chosen *choices,
            uint32_t count) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move, *longer = NULL;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        if (move_task(move) != task || !begins(move, choices, count))
            continue;
        if (move->label->choice_count == count)
            return true;
        longer = move;
    }
    if (longer == NULL)
        return false;
    CHECK(count < CHOICES_MAX);
    choices[count].count = longer->label->choices[count].count;
    for (uint32_t value = 0; value < choices[count].count; value++) {
        choices[count].value = value;
        if (!asleep(self, frame, task, choices, count + 1))
            return false;
    }
    return true;
}

bool task_asleep(const struct dpor *self, uint32_t frame, uint32_t task) {
    struct chosen choices[CHOICES_MAX + 1];
    return asleep(self, frame, task, choices, 0);
}

void inherit(struct dpor *self, uint32_t frame) {
    const struct event *step = &self->history.steps[frame].event;
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        if (move_task(move) == step->task || dependent_events(move_event(move), step))
            continue;
        self->sleepers = pool_grow(self->pool, self->sleepers, &self->sleeper_capacity,
                                   (size_t)self->sleeper_count + 1, sizeof *self->sleepers);
        self->sleepers[self->sleeper_count++] = (struct move *)move;
    }
}

void drop_sleeping(struct dpor *self, uint32_t index) {
    struct frame *frame = &self->frames[index];
    struct chosen choices[CHOICES_MAX + 1];
    while (frame->tree != NULL && frame->tree->child == NULL) {
        struct move *move = frame->tree;
        for (uint32_t i = 0; i < move->label->choice_count; i++)
            choices[i] = move->label->choices[i];
        if (!asleep(self, index, move_task(move), choices, move->label->choice_count))
            return;
        frame->tree = move->next;
        move->next = NULL;
        /* the move that sleeps covers the spares, too */
        free_spares(self, take_spares(frame, move));
        moves_free(self->pool, move);
    }
}

/* --- what counts on a move ------------------------------------------------------------------- */

/* An execution asks whether a move was tried in vain only if a task waits in a loop. If nothing is
 * left of the sequence without the move, the sequence would have been in vain, too. */
void count_on(struct dpor *self, struct frame *frame, struct move *move, bool nothing,
              const struct event *rest) {
    if (nothing && self->waits)
        return;
    if (rest == NULL || !self->waits || self->kind != DPOR_OPTIMAL) {
        move->counted_on = true;
        return;
    }
    struct spare *spare = pool_alloc(self->pool, sizeof *spare);
    *spare = (struct spare){.next = frame->spares, .leaf = move, .event = *rest};
    frame->spares = spare;
}

struct spare *take_spares(struct frame *frame, const struct move *leaf) {
    struct spare *taken = NULL;
    for (struct spare **at = &frame->spares; *at != NULL;) {
        struct spare *spare = *at;
        if (leaf != NULL && spare->leaf != leaf) {
            at = &spare->next;
            continue;
        }
        *at = spare->next;
        spare->next = taken;
        taken = spare;
    }
    return taken;
}

void free_spares(struct dpor *self, struct spare *spares) {
    while (spares != NULL) {
        struct spare *next = spares->next;
        pool_free(self->pool, spares, sizeof *spares);
        spares = next;
    }
}
