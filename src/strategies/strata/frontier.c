/* frontier.c - ses+ss: ses as long as there is memory, then samples that begin in the frontier (001, section
 * 6.1 leaves that to the future).
 *
 * When no more states can be remembered or put aside, what is on the shelf stays there: one state after the
 * other is taken, put back behind the others, and a sample of ss is drawn from it. It begins with the
 * option that the search would have taken next there, and has 1, 2, 3, ... delays more, 100 + 3^n samples
 * of each. So everything within the strata that were completed has been seen, and what lies beyond them is
 * sampled without doing that again.
 *
 * Left out: states that the search would have gone back to in the stratum under way are in no sample,
 * unless they are on the way of one. */
#include <string.h>

#include "strategies/sampler.h"
#include "strategies/strata/delays.h"

struct frontier {
    struct search search;
    struct sampler sampler;
    bool sampling;
    struct pause root; /* where the sample begins, as it was put aside */
    uint32_t root_size;
    uint32_t root_decisions; /* that lead there */
    bool at_new_root;        /* the execution begins in the next state of the shelf */
    uint64_t early, states;  /* on the shelf: those of the stratum under way come first; all */
    uint64_t turn;           /* below states */
};

static struct strategy *frontier_create(struct pool *pool, const struct options *options) {
    struct frontier *self = pool_alloc(pool, sizeof *self);
    delays_init(&self->search, pool, options);
    self->search.base.ops = &ses_ss_strategy;
    sampler_init(&self->sampler, pool, options->seed, UINT32_MAX);
    return &self->search.base;
}

/* What was paid up to the state whose turn it is. */
static uint32_t paid(const struct frontier *self) {
    return self->turn < self->early ? self->search.bound_before : self->search.bound;
}

static bool should_sample(const struct frontier *self) {
    const struct search *search = &self->search;
    return search->started && search_is_full(search) &&
           search->frontier + search->frontier_next > 0;
}

static void start_sampling(struct frontier *self) {
    self->sampling = true;
    self->early = self->search.frontier;
    self->states = self->early + self->search.frontier_next;
    self->turn = self->states - 1; /* before the first */
}

static void begin_sample(struct frontier *self) {
    static const struct places none;
    struct strategy *base = &self->search.base;
    self->at_new_root = !sampler_extend(&self->sampler);
    if (self->at_new_root) {
        sampler_next(&self->sampler, &none);
        self->turn = (self->turn + 1) % self->states;
    }
    base->states.goes_back = true;
    base->states.unshelve = self->at_new_root;
    base->prefix = self->root_decisions; /* by the engine, if it is a new one */
    base->samples += sampler_begin(&self->sampler);
    base->delays = (int32_t)(paid(self) + 1 + self->sampler.path.count);
    base->stratum = paid(self) + 1 + self->sampler.stratum;
}

static bool frontier_begin(struct strategy *base) {
    struct frontier *self = (struct frontier *)base;
    if (!self->sampling && should_sample(self))
        start_sampling(self);
    if (!self->sampling)
        return search_begin(base);
    begin_sample(self);
    return true;
}

/* It is put back as it was, and stays at hand for further executions. */
static void enter_root(struct frontier *self) {
    struct remembering *states = &self->search.base.states;
    memcpy(&self->root, states->bytes, states->byte_count);
    self->root_size = states->byte_count;
    self->root_decisions = self->search.base.execution->decision_count;
    states->bytes = &self->root;
    states->shelve = states->keep = true;
}

static uint32_t pick_at_root(struct frontier *self, const struct choice *choice) {
    struct strategy *base = &self->search.base;
    struct pause *now = &self->search.now;
    struct delays *delays = (struct delays *)now->own;
    base->states.goes_back = false;
    if (self->at_new_root)
        enter_root(self);
    search_read(&self->search, &self->root, self->root_size);
    if (now->count == choice->count)
        return sampler_pick(&self->sampler, base, &delays->delaying, &delays->prescribed,
                            now->taken, choice);
    base->diverged = true;
    return PICK_NOTHING;
}

static uint32_t frontier_pick(struct strategy *base, const struct choice *choice) {
    struct frontier *self = (struct frontier *)base;
    struct delays *delays = (struct delays *)self->search.now.own;
    if (!self->sampling)
        return search_pick(base, choice);
    if (base->states.goes_back)
        return pick_at_root(self, choice);
    delays->prescribed = (struct prescribed){{0}};
    return sampler_pick(&self->sampler, base, &delays->delaying, &delays->prescribed, 0, choice);
}

static void frontier_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct frontier *self = (struct frontier *)base;
    if (!self->sampling)
        search_end(base, outcome, last);
    else if (outcome != OUTCOME_ERROR && (base->states.goes_back || !sampler_end(&self->sampler)))
        base->diverged = true;
}

const struct strategy_ops ses_ss_strategy = {
    .name = "ses+ss",
    .summary = "ses until its memory is full, then samples that begin where it stopped",
    .exhaustive = true,
    .remembers_states = true,
    .has_explorer = true,
    .strata = "delays",
    .create = frontier_create,
    .begin = frontier_begin,
    .pick = frontier_pick,
    .end = frontier_end,
};
