/* shorten.c - a stage of minimising: makes small changes (edits.h), and keeps each execution that
 * fails in the same way and is smaller. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    edits_begin(&self->edits);
}

static bool begin(struct minimise *self) {
    if (self->shortened || !edits_next(&self->edits, &self->best, &self->best_way, &self->wishes))
        return false;
    minimise_follow(self, self->wishes.list, self->wishes.count);
    return true;
}

/* An execution that costs more is not smaller, however it goes on. */
static uint32_t pick(struct minimise *self, const struct choice *choice) {
    bool larger = minimise_is_larger(self);
    return larger && choice->tag == CHOICE_SCHEDULE ? PICK_NOTHING
                                                    : follow_pick(&self->follow, choice);
}

static void end(struct minimise *self, enum result result) {
    struct measure measure = way_measure(&self->way);
    if (result != RESULT_TARGET || !measure_less(&measure, &self->best_measure))
        return;
    minimise_accept(self);
    edits_accept(&self->edits);
}

static void finish(struct minimise *self, bool complete) {
    self->shortened |= complete;
}

const struct stage shorten_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
