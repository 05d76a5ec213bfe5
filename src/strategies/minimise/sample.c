/* sample.c - two stages of minimising: random executions, in the hope for a smaller one that fails
 * in the same way. Small changes (shorten.c) get stuck where none of them helps; random executions
 * are other places to begin.
 *
 * Few switches: follows the beginning of the best execution, and then goes on at random, with few
 * switches.
 *
 * Few steps, if the best execution is long: makes executions of at most half its steps, from the
 * start. In them each task runs for one, two, four, ... steps on the average. Small changes keep to
 * the way in which the best execution fails. There may be a much shorter way, with other switches,
 * or more of them. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    random_seed(&self->random, 1);
}

/* Follows the best execution up to a random decision, and then goes on at random. Only a budget
 * ends this stage. */
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
    if (minimise_is_larger(self) && choice->tag == CHOICE_SCHEDULE)
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

/* --- few steps --- */

enum { RUNS = 6 }; /* on the average 1, 2, ..., 32 steps without a switch */

static void start_brief(struct minimise *self) {
    random_seed(&self->random, 1);
}

static bool begin_brief(struct minimise *self) {
    if (self->budget == 0 || !measure_is_long(&self->best_measure))
        return false;
    self->other = 1u << random_below(&self->random, RUNS);
    minimise_follow(self, self->best.decisions, 0);
    return true;
}

static uint32_t pick_brief(struct minimise *self, const struct choice *choice) {
    uint32_t moved = way_moved(&self->way), on = 0;
    if (choice->tag != CHOICE_SCHEDULE)
        return random_below(&self->random, choice->count);
    if (way_measure(&self->way).steps >= self->best_measure.steps / 2)
        return PICK_NOTHING;
    while (on < choice->count && choice->pending[on].task != moved)
        on++;
    if (on == choice->count || choice->count == 1)
        return random_below(&self->random, choice->count);
    if (random_below(&self->random, self->other) > 0)
        return on;
    return (on + 1 + random_below(&self->random, choice->count - 1)) % choice->count;
}

const struct stage brief_stage = {
    .start = start_brief, .begin = begin_brief, .pick = pick_brief, .end = end, .finish = finish};

const struct stage sample_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
