/* pct.c - probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs, 2010).
 *
 * Each task has a random priority, and the enabled task with the highest one moves. At d - 1 random places
 * among the first k steps whoever has just moved gets the priority i, lower than all initial ones (i = 1
 * for the first place that was drawn, and so on). With n tasks and at most k steps, a bug of depth d, one
 * that d steps in the right order make, is found by an execution with a probability of at least
 * 1 / (n k^(d-1)). A task that is created on the way draws its priority then: independent draws, so every
 * order of the priorities is as likely as any other, as if all were there from the start.
 *
 * Values, wake-ups and time-outs are drawn evenly.
 *
 * Left out: nobody's priority is lowered because it polls. A loop that waits is parked by the system; one
 * that counts its tries, of a task with a high priority, runs into --max-steps. */
#include "strategies/strategies.h"

#include "base/random.h"

#define INITIAL ((uint64_t)1 << 63) /* initial priorities are at least that */

struct pct {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct random random;
    uint64_t seed;
    uint64_t execution;   /* from 0 */
    uint32_t steps_max;   /* k */
    uint32_t depth;       /* d */
    uint32_t steps;       /* of this execution */
    uint32_t *places;     /* 1 .. d - 1: after so many steps, a change to that priority */
    uint64_t *priorities; /* by task; 0: it has not been seen yet */
    uint32_t capacity;
};

static struct strategy *pct_create(struct pool *pool, const struct options *options) {
    struct pct *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &pct_strategy;
    self->pool = pool;
    self->seed = options->seed;
    self->steps_max = options->pct_steps;
    self->depth = options->pct_depth;
    self->places = pool_alloc(pool, self->depth * sizeof *self->places);
    return &self->base;
}

static bool pct_begin(struct strategy *base) {
    struct pct *self = (struct pct *)base;
    random_seed_nth(&self->random, self->seed, self->execution++);
    self->steps = 0;
    for (uint32_t task = 0; task < self->capacity; task++)
        self->priorities[task] = 0;
    for (uint32_t i = 1; i < self->depth; i++)
        self->places[i] = 1 + random_below(&self->random, self->steps_max);
    return true;
}

/* Those that are new get a priority; they come in the order of their numbers, enabled or not. */
static void meet(struct pct *self, uint32_t task) {
    uint32_t known = self->capacity;
    self->priorities = pool_grow(self->pool, self->priorities, &self->capacity, (size_t)task + 1,
                                 sizeof *self->priorities);
    while (known < self->capacity)
        self->priorities[known++] = 0;
    if (self->priorities[task] == 0)
        self->priorities[task] = INITIAL | random_next(&self->random);
}

static void change(struct pct *self, uint32_t moved) {
    for (uint32_t i = 1; i < self->depth; i++)
        if (self->places[i] == self->steps && moved < self->capacity)
            self->priorities[moved] = i;
}

static uint32_t highest(const struct pct *self, const struct choice *choice) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < choice->count; i++)
        if (self->priorities[choice->pending[i].task] >
            self->priorities[choice->pending[best].task])
            best = i;
    return best;
}

static uint32_t pct_pick(struct strategy *base, const struct choice *choice) {
    struct pct *self = (struct pct *)base;
    if (choice->tag != CHOICE_SCHEDULE)
        return random_below(&self->random, choice->count);
    for (uint32_t i = 0; i < choice->live; i++)
        meet(self, choice->pending[i].task);
    change(self, choice->task);
    self->steps++;
    return highest(self, choice);
}

static void pct_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    (void)base, (void)outcome, (void)last;
}

const struct strategy_ops pct_strategy = {
    .name = "pct",
    .summary =
        "random priorities with few random changes: good at bugs that need few ordered steps",
    .exhaustive = false,
    .create = pct_create,
    .begin = pct_begin,
    .pick = pct_pick,
    .end = pct_end,
};
