/* frontier.c - ses+ss: ses as long as there is memory, then samples that begin in the frontier
 * (001, section 6.1 leaves that to the future).
 *
 * When no more states can be remembered or put aside, the shelf stays as it is. One state after the
 * other is taken from it and put back behind the others, and a sample of ss is drawn from each. The
 * sample begins with the option that the search would have taken next there, and has 1, 2, 3, ...
 * more delays, with 100 + 3^n samples of n delays. So all states within the completed strata have
 * been seen, and what lies beyond them is sampled without going through them again.
 *
 * Left out: states that the search would have gone back to in the stratum under way. They are in no
 * sample, unless they lie on the way of one. */
#include <string.h>

#include "strategies/sampler.h"
#include "strategies/strata/delays.h"

struct frontier {
    struct search search;
    struct sampler sampler;
    bool sampling;
    struct pause root; /* the state where the sample begins, as it was put aside */
    uint32_t root_size;
    uint32_t root_decisions; /* number of decisions that lead to the state */
    bool at_new_root;        /* the execution begins in the next state of the shelf */
    /* states on the shelf: those of the stratum under way, which come first, and all */
    uint64_t early, states;
    uint64_t turn;    /* index of the state whose turn it is, below `states` */
    uint64_t samples; /* number of samples drawn in all */
};

/* Returns what was paid up to the state that is next. */
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
    self->turn = self->states - 1; /* the turn before the first one */
}

static void begin_sample(struct frontier *self, struct plan *plan) {
    static const struct places none;
    self->at_new_root = !sampler_extend(&self->sampler);
    if (self->at_new_root) {
        sampler_next(&self->sampler, &none);
        self->turn = (self->turn + 1) % self->states;
    }
    self->search.goes_back = true;
    plan->by_states = true;
    plan->strata = self->search.strata;
    plan->wants_state = self->search.wants_state;
    plan->start = self->at_new_root ? START_ON_SHELF : START_AT_PREFIX;
    plan->prefix = self->root_decisions; /* the engine fills in that of a new state */
    self->samples += sampler_begin(&self->sampler);
}

static bool frontier_begin(struct strategy *base, struct plan *plan) {
    struct frontier *self = (struct frontier *)base;
    if (!self->sampling && should_sample(self))
        start_sampling(self);
    if (!self->sampling)
        return search_begin(base, plan);
    begin_sample(self, plan);
    return true;
}

/* Puts the state back as it was. The state stays at hand for further executions. */
static void enter_root(struct frontier *self, struct keep *keep) {
    const struct strategy_inputs *inputs = self->search.base.inputs;
    memcpy(&self->root, inputs->bytes, inputs->byte_count);
    self->root_size = inputs->byte_count;
    self->root_decisions = inputs->execution->decision_count;
    *keep = (struct keep){
        .stays = true, .shelved = true, .bytes = &self->root, .byte_count = self->root_size};
}

static uint32_t pick_at_root(struct frontier *self, const struct choice *choice,
                             struct keep *keep) {
    struct strategy *base = &self->search.base;
    struct pause *now = &self->search.now;
    struct delays *delays = (struct delays *)now->own;
    self->search.goes_back = false;
    if (self->at_new_root)
        enter_root(self, keep);
    search_read(&self->search, &self->root, self->root_size);
    return now->count == choice->count ? sampler_pick(&self->sampler, base, &delays->delaying,
                                                      &delays->prescribed, now->taken, choice)
                                       : PICK_DIVERGED;
}

static uint32_t frontier_pick(struct strategy *base, const struct choice *choice,
                              struct keep *keep) {
    struct frontier *self = (struct frontier *)base;
    struct delays *delays = (struct delays *)self->search.now.own;
    if (!self->sampling)
        return search_pick(base, choice, keep);
    if (self->search.goes_back)
        return pick_at_root(self, choice, keep);
    delays->prescribed = (struct prescribed){{0}};
    return sampler_pick(&self->sampler, base, &delays->delaying, &delays->prescribed, 0, choice);
}

static void frontier_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                         struct report *report) {
    struct frontier *self = (struct frontier *)base;
    if (!self->sampling) {
        search_end(base, outcome, last, report);
        return;
    }
    report->diverged = self->search.goes_back || !sampler_end(&self->sampler);
    report->delays = (int32_t)(paid(self) + 1 + self->sampler.path.count);
    report->stratum = paid(self) + 1 + self->sampler.stratum;
    report->samples = self->samples;
}

static const struct strategy_ops frontier_ops = {
    .begin = frontier_begin,
    .pick = frontier_pick,
    .end = frontier_end,
};

static struct strategy *frontier_create(const struct strategy_context *context) {
    struct frontier *self = strategy_new(context, sizeof *self, &ses_ss_strategy, &frontier_ops);
    delays_init(&self->search, context);
    sampler_init(&self->sampler, context->pool, context->options->seed, UINT32_MAX);
    return &self->search.base;
}

const struct strategy_info ses_ss_strategy = {
    .name = "ses+ss",
    .summary = "ses until its memory is full, then samples that begin where it stopped",
    .strata = "delays",
    .traits = EXHAUSTIVE | GOES_BY_STATES | HAS_EXPLORER,
    .create = frontier_create,
};
