/* pct.c - probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A
 * Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, 2010).
 *
 * Each task has a random priority, and the enabled task with the highest one moves. At d - 1 random
 * places among the first k steps the task that has just moved gets the priority i, which is lower
 * than all initial ones (i = 1 for the first place that was drawn, and so on). A bug has depth d if
 * d steps in the right order make it happen. With n tasks and at most k steps, an execution finds
 * such a bug with a probability of at least 1 / (n k^(d-1)). A task that is created on the way
 * draws its priority then. Draws are independent, so every order of the priorities is as likely as
 * any other, as if all tasks were there from the start.
 *
 * Values, wake-ups and time-outs are drawn evenly.
 *
 * Left out: the priority of a polling task is not lowered. The system parks a loop that waits. A
 * loop that counts its tries, in a task with a high priority, runs into --max-steps. */
#include "strategies/strategies.h"

#include "base/random.h"

#define INITIAL ((uint64_t)1 << 63) /* all initial priorities are at least that */

struct pct {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct random random;
    uint64_t seed;
    uint64_t execution;   /* number of this execution, from 0 */
    uint32_t steps_max;   /* k in the paper */
    uint32_t depth;       /* d in the paper */
    uint32_t steps;       /* number of steps in this execution */
    uint32_t *places;     /* for i = 1 .. d - 1: number of steps before the change to priority i */
    uint64_t *priorities; /* one for each task; 0: the task has not been seen yet */
    uint32_t capacity;
};

static bool pct_begin(struct strategy *base, struct plan *plan) {
    struct pct *self = (struct pct *)base;
    (void)plan;
    random_seed_nth(&self->random, self->seed, self->execution++);
    self->steps = 0;
    for (uint32_t task = 0; task < self->capacity; task++)
        self->priorities[task] = 0;
    for (uint32_t i = 1; i < self->depth; i++)
        self->places[i] = 1 + random_below(&self->random, self->steps_max);
    return true;
}

/* Gives a priority to each new task. Tasks come in the order of their numbers, enabled or not. */
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

static uint32_t pct_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct pct *self = (struct pct *)base;
    (void)keep;
    if (choice->tag != CHOICE_SCHEDULE)
        return random_below(&self->random, choice->count);
    for (uint32_t i = 0; i < choice->live; i++)
        meet(self, choice->pending[i].task);
    change(self, choice->task);
    self->steps++;
    return highest(self, choice);
}

static const struct strategy_ops pct_ops = {
    .begin = pct_begin,
    .pick = pct_pick,
};

static struct strategy *pct_create(const struct strategy_context *context) {
    struct pct *self = strategy_new(context, sizeof *self, &pct_strategy, &pct_ops);
    self->pool = context->pool;
    self->seed = context->options->seed;
    self->steps_max = context->options->pct_steps;
    self->depth = context->options->pct_depth;
    self->places = pool_alloc(context->pool, self->depth * sizeof *self->places);
    return &self->base;
}

const struct strategy_info pct_strategy = {
    .name = "pct",
    .summary =
        "random priorities with few random changes: good at bugs that need few ordered steps",
    .create = pct_create,
};
