/* search.c - see search.h. The search is that of 001, section 3, Fig. 5 (stratified exhaustive search), for
 * any cost.
 *
 * A walk through it. pick() at a new state asks the set of visited ones: if it is there, the execution
 * ends. Else the cheapest option is taken. Are there others: if the next one is within the bound (db in
 * Fig. 5) the state becomes a frame, to which begin() goes back; beyond it the state goes to the shelf
 * (Frontier), from which begin() takes one after the other in the next stratum. Either way the cost's own
 * part (the explorer's state, d) and the number of options taken (i) go with it. Fig. 5 puts a state aside
 * when it comes back to it; here that is done when its last affordable option is taken, since the system
 * stands there then. If not even the first option is affordable, the execution ends there.
 *
 * A choice within a step (heddle_choose) is a frame too, but no state: it is reached from the state before
 * the step, by the same decisions.
 *
 * What it promises: with nothing left in the frontier, every reachable state was visited (Theorem 2). A
 * state is expanded once, at the cost of whoever came first; whether that is the least depends on the cost
 * (see delays.c, preemptions.c, depth.c). */
#include "strategies/strata/search.h"

#include <string.h>

#include "base/check.h"

static const uint64_t MEMORY_WITHOUT_LIMIT = (uint64_t)1 << 30;

static uint64_t memory_of(const struct search *self) {
    uint64_t limit = self->options->memory_limit;
    return limit ? limit : MEMORY_WITHOUT_LIMIT;
}

/* The bound of the last stratum. */
static uint32_t bound_of_last(const struct cost_ops *cost, const struct options *options) {
    return bound_given(options, cost->bound) ? bound_of(options).limit : UINT32_MAX;
}

void search_init(struct search *self, struct pool *pool, const struct options *options,
                 const struct cost_ops *cost, uint32_t step) {
    struct options *kept = pool_alloc(pool, sizeof *kept);
    *kept = *options;
    self->base.ops = cost->strategy;
    self->cost = cost;
    self->pool = pool;
    self->options = kept;
    self->bound_last = bound_of_last(cost, options);
    self->step = step;
    visited_init(&self->visited, pool, memory_of(self), options->full);
    ends_init(&self->ends, pool, &self->visited, memory_of(self) / 4);
    self->ends.tracked = options->cycles;
    self->ends.late = cost->key != NULL && !cost->counts_keys;
}

struct search *search_create(struct pool *pool, const struct options *options,
                             const struct cost_ops *cost, uint32_t step) {
    struct search *self = pool_alloc(pool, sizeof *self);
    search_init(self, pool, options, cost, step);
    return self;
}

/* --- where to go on -------------------------------------------------------------------------- */

static size_t pause_size(const struct cost_ops *cost, const struct pause *pause) {
    return offsetof(struct pause, own) + (cost->size != NULL ? cost->size(pause->own) : 0);
}

static void shift(struct search *self, int64_t events) {
    if (self->cost->shift != NULL)
        self->cost->shift(self->now.own, events);
}

/* Of the events of what is kept. At a schedule the cost knows of all events: none is counted then. Within a
 * step, they are counted from the beginning: not all of them need be there later. */
static int64_t first_event(const struct search *self) {
    const struct execution *execution = self->base.execution;
    return self->now.within ? -(int64_t)execution->skipped : (int64_t)execution->event_count;
}

static void write_pause(struct search *self, void *to, size_t size) {
    struct pause *now = &self->now;
    shift(self, -first_event(self));
    memcpy(to, now, size);
    shift(self, first_event(self));
}

void search_read(struct search *self, const void *from, size_t size) {
    struct pause *now = &self->now;
    memset(now, 0, sizeof *now);
    memcpy(now, from, size);
    shift(self, first_event(self));
}

static void push_frame(struct search *self) {
    uint32_t size = (uint32_t)((pause_size(self->cost, &self->now) + 7) & ~(size_t)7);
    self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                             (size_t)self->depth + 1, sizeof *self->frames);
    self->pauses = pool_grow(self->pool, self->pauses, &self->pause_capacity,
                             (size_t)self->pause_used + size, 1);
    write_pause(self, self->pauses + self->pause_used, size);
    self->frames[self->depth++] =
        (struct frame){self->base.execution->decision_count, self->paid, self->pause_used, size};
    self->pause_used += size;
    self->base.states.keep = true;
}

/* The set of visited states may take what the frontier leaves of the memory, and both a quarter of it. */
static void share_memory(struct search *self) {
    struct strata *strata = self->base.states.strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t frontier = strata->frontier_bytes;
    frontier = frontier < least ? least : frontier > limit - least ? limit - least : frontier;
    visited_limit(&self->visited, limit - frontier);
    strata->visited_bytes = visited_bytes(&self->visited) + ends_bytes(&self->ends);
}

static bool frontier_is_full(const struct search *self) {
    const struct strata *strata = self->base.states.strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t left = strata->visited_bytes < limit - least ? limit - strata->visited_bytes : least;
    return strata->frontier_bytes > left;
}

bool search_is_full(const struct search *self) {
    return visited_is_full(&self->visited) || frontier_is_full(self);
}

static void shelve(struct search *self) {
    struct remembering *states = &self->base.states;
    if (frontier_is_full(self)) {
        states->strata->frontier_lost++;
        return;
    }
    states->byte_count = (uint32_t)pause_size(self->cost, &self->now);
    write_pause(self, &self->shelved, states->byte_count);
    states->bytes = &self->shelved;
    states->shelve = true;
    self->frontier_next++;
}

/* --- options --------------------------------------------------------------------------------- */

/* What the next option costs more than the last. Initialisation is free. */
static uint32_t next_costs(const struct search *self, const struct choice *choice) {
    return self->branched ? self->cost->more(choice, self->now.taken) : 0;
}

/* An option of the state at hand was taken; what about the others? */
static void settle(struct search *self, const struct choice *choice) {
    struct pause *now = &self->now;
    if (++now->taken == now->count)
        return;
    if (self->paid + next_costs(self, choice) > self->bound)
        shelve(self);
    else
        push_frame(self);
}

/* The next option, which can be paid for. */
static uint32_t take(struct search *self, const struct choice *choice) {
    uint32_t option = self->now.taken;
    self->paid += next_costs(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        option = self->cost->option(self, self->now.own, choice, self->now.taken);
    if (option != PICK_NOTHING)
        settle(self, choice);
    return option;
}

/* The first option, if it can be paid for. */
static uint32_t take_first(struct search *self, const struct choice *choice) {
    if (self->paid + next_costs(self, choice) <= self->bound)
        return take(self, choice);
    shelve(self);
    return PICK_DEEP;
}

static void begin_options(struct search *self, const struct choice *choice) {
    self->now.taken = 0;
    CHECK(choice->count <= INT32_MAX);
    self->now.count = choice->count & INT32_MAX;
    self->now.within = choice->tag != CHOICE_SCHEDULE;
    self->branched |= choice->count > 1;
}

/* --- states ---------------------------------------------------------------------------------- */

/* Is it new? */
static bool visit(struct search *self, const struct fingerprint *state, uint32_t *mark) {
    enum visited_answer answer = visited_add_noted(&self->visited, state, mark);
    struct strata *strata = self->base.states.strata;
    if (answer == VISITED_BEFORE)
        return false;
    strata->forgetful |= visited_is_full(&self->visited);
    if (self->branched) /* what comes before is initialisation */
        strata_count_state(strata);
    return true;
}

/* The execution ends in a state that was seen before. */
static bool come_round(struct search *self, const struct fingerprint *state, uint32_t mark,
                       uint32_t level) {
    if (level <= self->level || level == LEVEL_MAX) {
        self->base.states.strata->rounds = true;
        if (!self->ends.tracked)
            self->base.lacks = LACKS_CYCLES;
    }
    self->leads_on = !ends_known(&self->ends, state, mark, self->level);
    self->seen = *state;
    return false;
}

static bool pass(struct search *self, const struct fingerprint *state, bool new, uint32_t level) {
    self->level = level;
    ends_pass(&self->ends, state, new);
    return true;
}

/* A state as it is remembered. False if it was seen before. */
static bool visit_state(struct search *self, const struct fingerprint *state) {
    uint32_t level = self->base.execution->decision_count, mark = ends_mark(&self->ends, level);
    if (visit(self, state, &mark))
        return pass(self, state, true, level);
    return come_round(self, state, mark, ends_level(mark));
}

/* Likewise, by what is remembered of it. The same state may come by several keys: the key has the level, and the
 * state itself the mark. */
static bool visit_key(struct search *self, const struct choice *choice) {
    struct fingerprint key = self->cost->key(self, self->now.own, choice);
    uint32_t level = self->base.execution->decision_count;
    uint32_t mark = ends_mark(&self->ends, level), key_mark = mark;
    if (self->cost->counts_keys)
        return visit_state(self, &key);
    bool new = visit(self, choice->fingerprint, &mark);
    if (visited_add_noted(&self->visited, &key, &key_mark) != VISITED_BEFORE)
        return pass(self, choice->fingerprint, new, level);
    return come_round(self, choice->fingerprint, mark, ends_level(key_mark));
}

/* The cost is told first, though it need not be if the state was seen: meanwhile the memory comes that
 * search_expect has asked for. */
static uint32_t enter(struct search *self, const struct choice *choice) {
    const struct cost_ops *cost = self->cost;
    begin_options(self, choice);
    if (cost->enter != NULL && !cost->enter(self, self->now.own, choice))
        return PICK_NOTHING;
    bool new = cost->key != NULL ? visit_key(self, choice) : visit_state(self, choice->fingerprint);
    return new ? take_first(self, choice) : PICK_SEEN;
}

void search_expect(struct strategy *base, const struct fingerprint *fingerprint) {
    visited_expect(&((struct search *)base)->visited, fingerprint);
}

/* --- the strategy ---------------------------------------------------------------------------- */

/* The next stratum. Fig. 5 goes on at db' + 1: with a step of more than one that is the cheapest that is
 * not done. */
static bool next_stratum(struct search *self) {
    if (self->frontier_next == 0)
        return false;
    if (self->bound >= self->bound_last) {
        self->base.hid_options = true;
        return false;
    }
    self->bound_before = self->bound;
    self->bound =
        self->bound_last - self->bound > self->step ? self->bound + self->step : self->bound_last;
    self->frontier = self->frontier_next;
    self->frontier_next = 0;
    strata_begin(self->base.states.strata, self->bound);
    return true;
}

static void begin_first(struct search *self) {
    self->started = true;
    self->base.states.strata->on = true;
    if (self->cost->begin != NULL)
        self->cost->begin(self, self->now.own);
    strata_begin(self->base.states.strata, self->bound);
}

static void begin_from_frame(struct search *self) {
    const struct frame *frame = &self->frames[--self->depth];
    self->pause_used = frame->at;
    self->base.prefix = frame->decisions;
    self->paid = frame->cost;
    self->base.states.goes_back = true;
    self->base.states.bytes = self->pauses + frame->at;
    self->base.states.byte_count = frame->size;
}

static void begin_from_frontier(struct search *self) {
    self->frontier--;
    self->paid = self->bound_before;
    self->base.states.goes_back = self->base.states.unshelve = true;
}

static void settle_ends(struct search *self) {
    struct strata *strata = self->base.states.strata;
    ends_settle(&self->ends);
    strata->endless = self->ends.open;
    /* A pair cannot be told from the state alone, which is all that the engine says where it goes back to. */
    strata->endless_unknown =
        self->ends.unknown || (self->cost->counts_keys && self->ends.open > 0);
}

bool search_begin(struct strategy *base) {
    struct search *self = (struct search *)base;
    struct remembering *states = &base->states;
    states->goes_back = states->unshelve = false;
    ends_begin(&self->ends);
    states->wants_state = self->ends.open > 0;
    self->leads_on = false;
    share_memory(self);
    if (!self->started)
        begin_first(self);
    else if (self->depth > 0)
        begin_from_frame(self);
    else if (self->frontier > 0 || next_stratum(self))
        begin_from_frontier(self);
    else {
        states->strata->completed = states->strata->count;
        settle_ends(self);
        return false;
    }
    return true;
}

/* Back at a state with options left. */
static uint32_t go_on(struct search *self, const struct choice *choice) {
    struct remembering *states = &self->base.states;
    states->goes_back = false;
    search_read(self, states->bytes, states->byte_count);
    self->level = self->base.execution->decision_count;
    if (states->wants_state)
        ends_pass(&self->ends, &states->state, false);
    if (self->now.count == choice->count)
        return take(self, choice);
    self->base.diverged = true;
    return PICK_NOTHING;
}

uint32_t search_pick(struct strategy *base, const struct choice *choice) {
    struct search *self = (struct search *)base;
    if (base->states.goes_back)
        return go_on(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        return enter(self, choice);
    begin_options(self, choice);
    return take(self, choice);
}

void search_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct search *self = (struct search *)base;
    bool over = outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
    if (self->cost->bound == BOUND_DELAYS)
        base->delays = (int32_t)self->paid;
    if (base->states.goes_back && outcome != OUTCOME_ERROR) /* it did not come as far as before */
        base->diverged = true;
    if (over && last != NULL && last->fingerprint != NULL) {
        uint32_t mark = MARK_ENDS;
        visit(self, last->fingerprint, &mark);
    }
    bool ended = !self->leads_on && outcome != OUTCOME_DEEP;
    ends_finish(&self->ends, ended, self->leads_on ? &self->seen : NULL);
}
