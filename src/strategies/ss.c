/* ss.c - stratified sampling (001, section 4, Fig. 7): executions with so many delays, near-uniformly.
 *
 * A sample of the stratum d is made by d + 1 executions. The first one has no delay; each further one
 * repeats the one before it up to a state that is drawn from those after its last delay, is delayed once
 * more there, and then follows the explorer to the end. So an execution with d delays is drawn with a
 * probability of at least 1/L^d, where L is the number of states of the longest execution (Theorem 3),
 * and a long one is as likely as a short one. Strata come one after the other: 1, 2, 3, ...,
 * up to --delays, and again.
 *
 * Unlike Fig. 7, only states where a delay is legal are drawn: with n delays so far and k options, n + 1
 * must be less than k. Others would be no delay at all, and there are at most L of these. Where none is
 * left the sample ends with fewer delays. If no sample of a stratum had all of its delays, there is most
 * likely no such execution, and the strata begin again at 1.
 *
 * An explorer that goes by its seed gets another one for each sample: its order is sampled, too. The
 * first execution of the others is the same each time, and is made only once. */
#include "strategies/strategies.h"

#include <string.h>

#include "base/random.h"
#include "strategies/delaying.h"
#include "strategies/samples.h"

/* Numbers of decisions. */
struct places {
    uint32_t *list;
    uint32_t count, capacity;
};

struct ss {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct delaying delaying;
    const struct heddle_explorer *explorer; /* borrowed */
    bool seeded;                            /* the explorer goes by its seed */
    uint64_t seed;
    uint64_t sample;      /* so many were begun */
    struct random random; /* of this one */
    uint64_t stratum_least, stratum_max;
    uint64_t left;           /* so many samples are still to be drawn from this stratum */
    bool reached;            /* one of those that were drawn had all of its delays */
    struct places path;      /* where this execution is delayed, once for each time */
    struct places legal;     /* where it could be delayed once more, after all that */
    struct places undelayed; /* the same, of the execution without delays */
    uint32_t position;       /* decisions made in this execution */
    uint32_t applied;        /* delays made in it */
};

/* Does another seed make another order? Then it must be kept in the state. */
static bool goes_by_seed(const struct heddle_explorer *explorer) {
    struct delaying one, other;
    delaying_begin(&one, explorer, 1);
    delaying_begin(&other, explorer, 2);
    return memcmp(one.state, other.state, sizeof one.state) != 0;
}

static struct strategy *ss_create(struct pool *pool, const struct options *options) {
    struct ss *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &ss_strategy;
    self->pool = pool;
    self->seed = options->seed;
    self->explorer = explorer_wanted(options, DEFAULT_EXPLORER);
    self->base.explorer = self->explorer->name;
    self->seeded = goes_by_seed(self->explorer);
    self->stratum_max = bound_given(options, BOUND_DELAYS) ? (uint64_t)options->delays : UINT32_MAX;
    self->stratum_least = self->stratum_max > 0;
    return &self->base;
}

static void add(struct ss *self, struct places *places, uint32_t place) {
    places->list = pool_grow(self->pool, places->list, &places->capacity, (size_t)places->count + 1,
                             sizeof *places->list);
    places->list[places->count++] = place;
}

static void copy(struct ss *self, struct places *to, const struct places *from) {
    to->count = 0;
    for (uint32_t i = 0; i < from->count; i++)
        add(self, to, from->list[i]);
}

/* --- which execution is next ------------------------------------------------------------------ */

static void next_stratum(struct ss *self) {
    uint64_t *stratum = &self->base.stratum;
    if (self->left > 0)
        return;
    *stratum = self->reached && *stratum < self->stratum_max ? *stratum + 1 : self->stratum_least;
    self->left = samples_of((uint32_t)*stratum);
    self->reached = false;
}

static void next_sample(struct ss *self) {
    next_stratum(self);
    self->left--;
    random_seed_nth(&self->random, self->seed, self->sample++);
    self->path.count = 0;
    copy(self, &self->legal, &self->undelayed);
}

/* One delay more, if that is to be and can be. */
static bool extend(struct ss *self) {
    if (self->path.count == self->base.stratum || self->legal.count == 0)
        return false;
    add(self, &self->path, self->legal.list[random_below(&self->random, self->legal.count)]);
    return true;
}

static bool ss_begin(struct strategy *base) {
    struct ss *self = (struct ss *)base;
    if (!extend(self)) {
        next_sample(self);
        extend(self); /* not if the execution without delays is still to be made */
    }
    if (self->path.count == base->stratum) {
        base->samples++;
        self->reached = true;
    }
    base->prefix = self->path.count > 0 ? self->path.list[self->path.count - 1] : 0;
    base->delays = (int32_t)self->path.count;
    self->legal.count = 0;
    self->position = self->applied = 0;
    delaying_begin(&self->delaying, self->explorer,
                   self->seeded ? self->seed + self->sample : self->seed);
    return true;
}

/* --- within an execution ---------------------------------------------------------------------- */

static uint32_t complain(struct ss *self, const struct choice *choice,
                         const struct prescribed *prescribed) {
    delaying_complain(&self->delaying, choice, prescribed, self->position, self->base.error,
                      sizeof self->base.error);
    return PICK_NOTHING;
}

/* What the explorer prescribes after so many delays. */
static uint32_t pick_task(struct ss *self, const struct choice *choice, uint32_t delays) {
    struct prescribed prescribed = {0};
    if (!delaying_tell(&self->delaying, choice, self->base.execution))
        return complain(self, choice, &prescribed);
    uint32_t option = delaying_next(&self->delaying, choice);
    for (uint32_t i = 0; prescribed_add(&prescribed, option); i++) {
        if (i == delays)
            return option;
        delaying_delay(&self->delaying);
        option = delaying_next(&self->delaying, choice);
    }
    return complain(self, choice, &prescribed);
}

static uint32_t delays_here(const struct ss *self) {
    uint32_t delays = 0;
    while (self->applied + delays < self->path.count &&
           self->path.list[self->applied + delays] == self->position)
        delays++;
    return delays;
}

static uint32_t ss_pick(struct strategy *base, const struct choice *choice) {
    struct ss *self = (struct ss *)base;
    uint32_t delays = delays_here(self);
    if (delays >= choice->count) { /* there were more options when it was drawn */
        base->diverged = true;
        return PICK_NOTHING;
    }
    self->applied += delays;
    if (self->applied == self->path.count && delays + 1 < choice->count)
        add(self, &self->legal, self->position);
    uint32_t picked = choice->tag == CHOICE_SCHEDULE ? pick_task(self, choice, delays) : delays;
    self->position++;
    return picked;
}

static void ss_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct ss *self = (struct ss *)base;
    (void)last;
    if (self->applied < self->path.count && outcome != OUTCOME_ERROR)
        base->diverged = true;
    if (self->path.count == 0 && !self->seeded)
        copy(self, &self->undelayed, &self->legal);
}

const struct strategy_ops ss_strategy = {
    .name = "ss",
    .summary = "samples with one delay, with two, and so on, near-uniformly; by --explorer",
    .exhaustive = false,
    .bounds = 1 << BOUND_DELAYS,
    .has_explorer = true,
    .strata = "delays",
    .create = ss_create,
    .begin = ss_begin,
    .pick = ss_pick,
    .end = ss_end,
};
