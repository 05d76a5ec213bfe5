/* sample.c - a stage of minimising: random executions with few switches, in the hope for one that fails in
 * the same way and is smaller. Small changes (shorten.c) end where none of them helps; this finds other
 * places to begin. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    random_seed(&self->random, 1);
}

/* A beginning of the best one, of any length, and then at random. Only a budget ends this. */
static bool begin(struct minimise *self) {
    if (self->budget == 0 || minimise_is_proven(self))
        return false;
    self->at = random_below(&self->random, self->best_way.count);
    self->other = 1 + random_below(&self->random, self->best_measure.switches);
    minimise_follow(self, self->best.decisions, self->at);
    return true;
}

static uint32_t pick_new(struct minimise *self, const struct choice *choice) {
    uint32_t moved = way_moved(&self->way), on = 0;
    if (choice->count == 1)
        return 0;
    if (choice->tag == CHOICE_SCHEDULE) {
        while (on < choice->count && choice->pending[on].task != moved)
            on++;
        if (on < choice->count &&
            random_below(&self->random, self->best_measure.steps) >= self->other)
            return on;
    }
    return random_below(&self->random, choice->count);
}

static uint32_t pick(struct minimise *self, const struct choice *choice) {
    bool larger = way_switches(&self->way) > self->best_measure.switches;
    if (larger && choice->tag == CHOICE_SCHEDULE)
        return PICK_NOTHING;
    return self->way.count < self->at ? follow_pick(&self->follow, choice) : pick_new(self, choice);
}

static void end(struct minimise *self, enum result result) {
    struct measure measure = way_measure(&self->way);
    if (result == RESULT_TARGET && measure_less(&measure, &self->best_measure))
        minimise_accept(self);
}

static void finish(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

const struct stage sample_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
