/* ses.c - stratified exhaustive search (001, section 3, Fig. 5): first what a delaying explorer prescribes,
 * then what departs from it by one delay, and so on, each state of the program once.
 *
 * A walk through it. pick() at a new state asks the set of visited ones: if it is there, the execution
 * ends. Else the prescribed option is taken. Are there others, a delay leads to the next one: within the
 * bound (db in Fig. 5) the state becomes a frame, to which begin() goes back; beyond it the state goes to
 * the shelf (Frontier), from which begin() takes one after the other in the next stratum. Either way the
 * explorer's state (d), the number of options taken (i) and of delays (n) go with it. Fig. 5 puts a state
 * aside when it comes back to it; here that is done when its last affordable option is taken, since the
 * system stands there then.
 *
 * A choice within a step (heddle_choose) is a frame too, but no state: it is reached from the state before
 * the step, by the same decisions.
 *
 * What it promises: with nothing left in the frontier, every reachable state was visited (Theorem 2). What
 * it does not: a stratum is not every execution of so many delays. A state is expanded once, by the
 * explorer's state of whoever came first; another way to it may have had the same option cheaper.
 *
 * Left out: the explorer's state is no part of what is visited, unless --cache=pair says so (to measure
 * what that costs). Data races are a matter of ways, not of states: they are not looked for. */
#include "strategies/strategies.h"

#include <stdio.h>
#include <string.h>

#include "base/visited.h"
#include "strategies/delaying.h"

/* What is kept of a state with options left: as a frame, or on the shelf. The part of the explorer's state
 * that is in use follows; so it is of no fixed size. */
struct pause {
    struct prescribed prescribed;
    uint32_t taken, count; /* options */
    struct delaying delaying;
};

struct frame {
    uint32_t decisions; /* that lead to it */
    uint32_t delays;    /* with the last option that was taken */
    uint32_t at, size;  /* of its struct pause, in self->pauses */
};

struct ses {
    struct strategy base;
    struct pool *pool; /* borrowed */
    const struct options *options;
    const struct heddle_explorer *explorer;
    struct visited visited;
    struct pause now;     /* the state at hand */
    struct pause shelved; /* handed over to the engine */
    struct frame *frames;
    uint32_t depth, frame_capacity;
    char *pauses; /* those of the frames, one after the other */
    uint32_t pause_used, pause_capacity;
    uint32_t bound, bound_before;
    uint32_t bound_last;
    uint64_t frontier;      /* states on the shelf that belong to this stratum, */
    uint64_t frontier_next; /* and to the next */
    bool started, branched;
};

static const uint64_t MEMORY_WITHOUT_LIMIT = (uint64_t)1 << 30;

static uint64_t memory_of(const struct ses *self) {
    uint64_t limit = self->options->memory_limit;
    return limit ? limit : MEMORY_WITHOUT_LIMIT;
}

static struct strategy *ses_create(struct pool *pool, const struct options *options) {
    struct ses *self = pool_alloc(pool, sizeof *self);
    struct options *kept = pool_alloc(pool, sizeof *kept);
    *kept = *options;
    self->base.ops = &ses_strategy;
    self->pool = pool;
    self->options = kept;
    self->explorer = explorer_wanted(options, "rtc");
    self->base.explorer = self->explorer->name;
    self->bound_last = options->delays >= 0 ? (uint32_t)options->delays : UINT32_MAX;
    visited_init(&self->visited, pool, memory_of(self), options->full);
    return &self->base;
}

/* --- where to go on -------------------------------------------------------------------------- */

static size_t pause_size(const struct pause *pause) {
    return offsetof(struct pause, delaying) + delaying_size(&pause->delaying);
}

/* Events are counted from the beginning in what is kept: not all of them need be there later. */
static void write_pause(struct ses *self, void *to, size_t size) {
    struct pause *now = &self->now;
    uint32_t told = now->delaying.events;
    now->delaying.events += self->base.execution->skipped;
    memcpy(to, now, size);
    now->delaying.events = told;
}

static void read_pause(struct ses *self, const void *from, size_t size) {
    struct pause *now = &self->now;
    memset(now, 0, sizeof *now);
    memcpy(now, from, size);
    now->delaying.events -= self->base.execution->skipped;
}

static void push_frame(struct ses *self, uint32_t delays) {
    uint32_t size = (uint32_t)((pause_size(&self->now) + 7) & ~(size_t)7);
    self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                             (size_t)self->depth + 1, sizeof *self->frames);
    self->pauses = pool_grow(self->pool, self->pauses, &self->pause_capacity,
                             (size_t)self->pause_used + size, 1);
    write_pause(self, self->pauses + self->pause_used, size);
    self->frames[self->depth++] =
        (struct frame){self->base.execution->decision_count, delays, self->pause_used, size};
    self->pause_used += size;
    self->base.states.keep = true;
}

/* The set of visited states may take what the frontier leaves of the memory, and both a quarter of it. */
static void share_memory(struct ses *self) {
    struct strata *strata = self->base.states.strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t frontier = strata->frontier_bytes;
    frontier = frontier < least ? least : frontier > limit - least ? limit - least : frontier;
    visited_limit(&self->visited, limit - frontier);
    strata->visited_bytes = visited_bytes(&self->visited);
}

static bool frontier_is_full(const struct ses *self) {
    const struct strata *strata = self->base.states.strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t left = strata->visited_bytes < limit - least ? limit - strata->visited_bytes : least;
    return strata->frontier_bytes > left;
}

static void shelve(struct ses *self) {
    struct remembering *states = &self->base.states;
    if (frontier_is_full(self)) {
        states->strata->frontier_lost++;
        return;
    }
    states->byte_count = (uint32_t)pause_size(&self->now);
    write_pause(self, &self->shelved, states->byte_count);
    states->bytes = &self->shelved;
    states->shelve = true;
    self->frontier_next++;
}

/* --- options --------------------------------------------------------------------------------- */

/* The next option of the state at hand, by so many delays in all. */
static void settle(struct ses *self, uint32_t delays) {
    struct pause *now = &self->now;
    now->taken++;
    self->base.delays = (int32_t)delays;
    if (now->taken == now->count)
        return;
    if (delays == self->bound)
        shelve(self);
    else
        push_frame(self, delays);
}

static uint32_t complain(struct ses *self, const struct choice *choice) {
    const struct execution *execution = self->base.execution;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        steps += execution->decisions[i].tag == CHOICE_SCHEDULE;
    delaying_complain(&self->now.delaying, choice, &self->now.prescribed, steps, self->base.error,
                      sizeof self->base.error);
    return PICK_NOTHING;
}

static uint32_t take_task(struct ses *self, const struct choice *choice, uint32_t delays) {
    uint32_t option = delaying_next(&self->now.delaying, choice);
    if (!prescribed_add(&self->now.prescribed, option))
        return complain(self, choice);
    settle(self, delays);
    return option;
}

static uint32_t take_value(struct ses *self, uint32_t delays) {
    uint32_t value = self->now.taken;
    settle(self, delays);
    return value;
}

static void begin_options(struct ses *self, const struct choice *choice) {
    self->now.prescribed = (struct prescribed){{0}};
    self->now.taken = 0;
    self->now.count = choice->count;
    self->branched |= choice->count > 1;
}

/* --- states ---------------------------------------------------------------------------------- */

/* Is it new? */
static bool visit(struct ses *self, const struct fingerprint *state) {
    enum visited_answer answer = visited_add(&self->visited, state);
    struct strata *strata = self->base.states.strata;
    if (answer == VISITED_BEFORE)
        return false;
    strata->forgetful |= visited_is_full(&self->visited);
    if (self->branched) /* what comes before is initialisation */
        strata_count_state(strata);
    return true;
}

static struct fingerprint pair_of(const struct ses *self, const struct fingerprint *program) {
    struct fingerprint pair = *program;
    fingerprint_add(&pair, self->now.delaying.state, self->explorer->size);
    return pair;
}

/* Told, and new: then it is the state at hand. */
static uint32_t enter(struct ses *self, const struct choice *choice) {
    const struct execution *execution = self->base.execution;
    bool pairs = self->options->cache == CACHE_PAIR;
    begin_options(self, choice);
    if (!pairs && !visit(self, choice->fingerprint))
        return PICK_SEEN;
    if (!delaying_tell(&self->now.delaying, choice, execution))
        return complain(self, choice);
    struct fingerprint pair;
    if (pairs && !visit(self, (pair = pair_of(self, choice->fingerprint), &pair)))
        return PICK_SEEN;
    return take_task(self, choice, (uint32_t)self->base.delays);
}

/* --- the strategy ---------------------------------------------------------------------------- */

/* The next stratum. Fig. 5 goes on at db' + 1: with a step of more than one that is the cheapest that is
 * not done. */
static bool next_stratum(struct ses *self) {
    uint32_t step = self->options->delay_step ? self->options->delay_step : 1;
    if (self->frontier_next == 0)
        return false;
    if (self->bound >= self->bound_last) {
        self->base.hid_options = true;
        return false;
    }
    self->bound_before = self->bound;
    self->bound = self->bound_last - self->bound > step ? self->bound + step : self->bound_last;
    self->frontier = self->frontier_next;
    self->frontier_next = 0;
    strata_begin(self->base.states.strata, self->bound);
    return true;
}

static void begin_first(struct ses *self) {
    self->started = true;
    self->base.delays = 0;
    self->base.states.strata->on = true;
    delaying_begin(&self->now.delaying, self->explorer, self->options->seed);
    strata_begin(self->base.states.strata, 0);
}

static void begin_from_frame(struct ses *self) {
    const struct frame *frame = &self->frames[--self->depth];
    self->pause_used = frame->at;
    self->base.prefix = frame->decisions;
    self->base.delays = (int32_t)frame->delays;
    self->base.states.goes_back = true;
    self->base.states.bytes = self->pauses + frame->at;
    self->base.states.byte_count = frame->size;
}

static void begin_from_frontier(struct ses *self) {
    self->frontier--;
    self->base.delays = (int32_t)self->bound_before;
    self->base.states.goes_back = self->base.states.unshelve = true;
}

static bool ses_begin(struct strategy *base) {
    struct ses *self = (struct ses *)base;
    struct remembering *states = &base->states;
    states->goes_back = states->unshelve = false;
    share_memory(self);
    if (!self->started)
        begin_first(self);
    else if (self->depth > 0)
        begin_from_frame(self);
    else if (self->frontier > 0 || next_stratum(self))
        begin_from_frontier(self);
    else {
        states->strata->completed = states->strata->count;
        return false;
    }
    return true;
}

/* Back at a state with options left. */
static uint32_t go_on(struct ses *self, const struct choice *choice) {
    struct remembering *states = &self->base.states;
    states->goes_back = false;
    read_pause(self, states->bytes, states->byte_count);
    if (self->now.count != choice->count) {
        self->base.diverged = true;
        return PICK_NOTHING;
    }
    uint32_t delays = (uint32_t)self->base.delays + 1;
    if (choice->tag != CHOICE_SCHEDULE)
        return take_value(self, delays);
    delaying_delay(&self->now.delaying);
    return take_task(self, choice, delays);
}

static uint32_t ses_pick(struct strategy *base, const struct choice *choice) {
    struct ses *self = (struct ses *)base;
    if (base->states.goes_back)
        return go_on(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        return enter(self, choice);
    begin_options(self, choice);
    return take_value(self, (uint32_t)base->delays);
}

static void ses_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct ses *self = (struct ses *)base;
    bool over = outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK;
    if (base->states.goes_back && outcome != OUTCOME_ERROR) /* it did not come as far as before */
        base->diverged = true;
    if (over && last != NULL && last->fingerprint != NULL)
        visit(self, last->fingerprint);
}

const struct strategy_ops ses_strategy = {
    .name = "ses",
    .summary = "every state, in strata of delays from what --explorer prescribes (default rtc)",
    .exhaustive = true,
    .bounds = 1 << BOUND_DELAYS,
    .remembers_states = true,
    .create = ses_create,
    .begin = ses_begin,
    .pick = ses_pick,
    .end = ses_end,
};
