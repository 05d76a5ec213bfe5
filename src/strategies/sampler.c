/* sampler.c - see sampler.h. */
#include "strategies/sampler.h"

#include "strategies/samples.h"

static void add(struct pool *pool, struct places *places, uint32_t place) {
    places->list = pool_grow(pool, places->list, &places->capacity, (size_t)places->count + 1,
                             sizeof *places->list);
    places->list[places->count++] = place;
}

void places_copy(struct pool *pool, struct places *to, const struct places *from) {
    to->count = 0;
    for (uint32_t i = 0; i < from->count; i++)
        add(pool, to, from->list[i]);
}

void sampler_init(struct sampler *sampler, struct pool *pool, uint64_t seed, uint64_t stratum_max) {
    *sampler = (struct sampler){
        .pool = pool, .seed = seed, .stratum_least = stratum_max > 0, .stratum_max = stratum_max};
}

/* --- which execution is next ------------------------------------------------------------------ */

static void next_stratum(struct sampler *self) {
    if (self->left > 0)
        return;
    bool higher = self->reached && self->stratum < self->stratum_max;
    self->stratum = higher ? self->stratum + 1 : self->stratum_least;
    self->left = samples_of((uint32_t)self->stratum);
    self->reached = false;
}

void sampler_next(struct sampler *self, const struct places *legal) {
    next_stratum(self);
    self->left--;
    random_seed_nth(&self->random, self->seed, self->sample++);
    self->path.count = 0;
    places_copy(self->pool, &self->legal, legal);
}

bool sampler_extend(struct sampler *self) {
    if (self->path.count == self->stratum || self->legal.count == 0)
        return false;
    add(self->pool, &self->path, self->legal.list[random_below(&self->random, self->legal.count)]);
    return true;
}

bool sampler_begin(struct sampler *self) {
    bool complete = self->path.count == self->stratum;
    self->reached |= complete;
    self->legal.count = 0;
    self->applied = 0;
    return complete;
}

bool sampler_end(const struct sampler *self) {
    return self->applied == self->path.count;
}

/* --- within an execution ---------------------------------------------------------------------- */

static uint32_t delays_at(const struct sampler *self, uint32_t position) {
    uint32_t delays = 0;
    while (self->applied + delays < self->path.count &&
           self->path.list[self->applied + delays] == position)
        delays++;
    return delays;
}

/* Returns the option that the explorer prescribes after so many more delays. The first option of
 * all needs no delay. */
static uint32_t pick_task(struct sampler *self, struct strategy *strategy,
                          struct delaying *delaying, struct prescribed *prescribed, uint32_t taken,
                          uint32_t delays, const struct choice *choice) {
    uint32_t option = PICK_NOTHING;
    if (taken == 0 && !delaying_tell(delaying, choice, strategy->inputs->execution))
        return delaying_complain(delaying, choice, prescribed, strategy, self->mistake);
    for (uint32_t i = taken; i <= taken + delays; i++) {
        if (i > 0)
            delaying_delay(delaying);
        option = delaying_next(delaying, choice);
        if (!prescribed_add(prescribed, option))
            return delaying_complain(delaying, choice, prescribed, strategy, self->mistake);
    }
    return option;
}

uint32_t sampler_pick(struct sampler *self, struct strategy *strategy, struct delaying *delaying,
                      struct prescribed *prescribed, uint32_t taken, const struct choice *choice) {
    uint32_t position = strategy->inputs->execution->decision_count;
    uint32_t delays = delays_at(self, position);
    if (taken + delays >= choice->count) /* there were more options when the place was drawn */
        return PICK_DIVERGED;
    self->applied += delays;
    if (self->applied == self->path.count && taken + delays + 1 < choice->count)
        add(self->pool, &self->legal, position);
    return choice->tag == CHOICE_SCHEDULE
               ? pick_task(self, strategy, delaying, prescribed, taken, delays, choice)
               : taken + delays;
}
