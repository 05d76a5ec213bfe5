/* search.c - see search.h. The search is that of 001, section 3, Fig. 5 (stratified exhaustive
 * search), for any cost.
 *
 * A walk through the search. At a new state, pick() asks the set of visited states. If the state is
 * there, the execution ends. Otherwise the cheapest option is taken. If there are other options,
 * the cost of the next one decides. If it is within the bound (db in Fig. 5), the state becomes a
 * frame, and begin() goes back to it. If not, the state goes to the shelf (Frontier), from which
 * begin() takes one state after the other in the next stratum. Either way the cost's own part of
 * the state (the explorer's state, d) and the number of options taken (i) are kept with it. Fig. 5
 * puts a state aside when the search comes back to it. Here that is done when the last affordable
 * option is taken, because the system is in that state then. If not even the first option is
 * affordable, the execution ends there.
 *
 * A choice within a step (heddle_choose) is a frame too, but no state: it is reached from the state
 * before the step, by the same decisions.
 *
 * What the search promises: when the frontier is empty, every reachable state was visited, whatever
 * the cost (Theorem 2). A state is expanded once, at the cost of the first execution that came
 * there. Whether that is the least cost depends on the kind of cost (see delays.c, preemptions.c,
 * depth.c).
 *
 * Memory. The set of visited states and the shelf share --memory, and each of them may have at
 * least a quarter. If the set is full, a new state is not remembered and may come again, which only
 * costs time. If the shelf is full, a state that should be put aside is lost: then the search is
 * not complete, and is not called so. */
#include "strategies/strata/search.h"

#include "base/bytes.h"
#include "base/check.h"
#include "strategies/strata/foresight.h"

static const uint64_t MEMORY_WITHOUT_LIMIT = (uint64_t)1 << 30;

static uint64_t memory_of(const struct search *self) {
    uint64_t limit = self->options->memory_limit;
    return limit ? limit : MEMORY_WITHOUT_LIMIT;
}

/* Returns the bound of the last stratum. */
static uint32_t bound_of_last(const struct cost_ops *cost, const struct options *options) {
    return bound_given(options, cost->bound) ? bound_of(options).limit : UINT32_MAX;
}

void search_init(struct search *self, const struct strategy_context *context,
                 const struct cost_ops *cost, uint32_t step) {
    const struct options *options = context->options;
    struct pool *pool = context->pool;
    struct options *kept = pool_alloc(pool, sizeof *kept);
    *kept = *options;
    self->cost = cost;
    self->pool = pool;
    self->options = kept;
    self->strata = context->strata;
    self->bound_last = bound_of_last(cost, options);
    self->step = step;
    visited_init(&self->visited, pool, memory_of(self), options->full);
    ends_init(&self->ends, pool, &self->visited, memory_of(self) / 4);
    self->ends.tracked = options->cycles;
    self->ends.late = cost->key != NULL && !cost->counts_keys;
}

struct search *search_create(const struct strategy_context *context,
                             const struct strategy_info *info, const struct cost_ops *cost,
                             uint32_t step) {
    struct search *self = strategy_new(context, sizeof *self, info, &search_ops);
    search_init(self, context, cost, step);
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

/* Returns the event that the number of events in a kept state is counted from. At a schedule the
 * cost was told of all events, so none is counted. Within a step, events are counted from the
 * beginning of the program, because later not all of them need be there. */
static int64_t first_event(const struct search *self) {
    const struct execution *execution = self->base.inputs->execution;
    return self->now.within ? -(int64_t)execution->skipped : (int64_t)execution->event_count;
}

static void write_pause(struct search *self, void *to, size_t size) {
    struct pause *now = &self->now;
    shift(self, -first_event(self));
    bytes_copy(to, now, size);
    shift(self, first_event(self));
}

void search_read(struct search *self, const void *from, size_t size) {
    struct pause *now = &self->now;
    size_t used = pause_size(self->cost, now);
    bytes_copy(now, from, size);
    if (used > size)
        bytes_clear((char *)now + size, used - size);
    shift(self, first_event(self));
}

static void push_frame(struct search *self) {
    uint32_t size = (uint32_t)((pause_size(self->cost, &self->now) + 7) & ~(size_t)7);
    self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                             (size_t)self->depth + 1, sizeof *self->frames);
    self->pauses = pool_grow(self->pool, self->pauses, &self->pause_capacity,
                             (size_t)self->pause_used + size, 1);
    write_pause(self, self->pauses + self->pause_used, size);
    self->frames[self->depth++] = (struct frame){self->base.inputs->execution->decision_count,
                                                 self->paid, self->pause_used, size};
    self->pause_used += size;
    self->keep->stays = true;
}

/* Shares the memory: the set of visited states may have what the frontier does not use, and each of
 * the two may have at least a quarter. */
static void share_memory(struct search *self) {
    struct strata *strata = self->strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t frontier = strata->frontier_bytes;
    frontier = frontier < least ? least : frontier > limit - least ? limit - least : frontier;
    visited_limit(&self->visited, limit - frontier);
    strata->visited_bytes = visited_bytes(&self->visited) + ends_bytes(&self->ends);
}

static bool frontier_is_full(const struct search *self) {
    const struct strata *strata = self->strata;
    uint64_t limit = memory_of(self), least = limit / 4;
    uint64_t left = strata->visited_bytes < limit - least ? limit - strata->visited_bytes : least;
    return strata->frontier_bytes > left;
}

bool search_is_full(const struct search *self) {
    return visited_is_full(&self->visited) || frontier_is_full(self);
}

static void shelve(struct search *self) {
    struct keep *keep = self->keep;
    if (frontier_is_full(self)) {
        self->strata->frontier_lost++;
        return;
    }
    keep->byte_count = (uint32_t)pause_size(self->cost, &self->now);
    write_pause(self, &self->shelved, keep->byte_count);
    keep->bytes = &self->shelved;
    keep->shelved = true;
    self->frontier_next++;
}

/* --- options --------------------------------------------------------------------------------- */

/* Returns how much more the next option costs than the last one. Initialisation is free. */
static uint32_t next_costs(const struct search *self, const struct choice *choice) {
    return self->branched ? self->cost->more(choice, self->now.taken) : 0;
}

/* Keeps the state at hand, of which an option was taken, if other options are left. */
static void settle(struct search *self, const struct choice *choice, bool others_seen) {
    struct pause *now = &self->now;
    if (++now->taken == now->count)
        return;
    if (others_seen) {
        self->keep->foreseen += now->count - now->taken;
        ends_note(&self->ends);
    } else if (self->paid + next_costs(self, choice) > self->bound)
        shelve(self);
    else
        push_frame(self);
}

/* Takes the next option, which must be affordable. */
static uint32_t take(struct search *self, const struct choice *choice) {
    uint32_t option = self->now.taken;
    self->paid += next_costs(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        option = self->cost->option(self, self->now.own, choice, self->now.taken);
    if (option >= choice->count)
        return option;
    struct foresight foresight = foresight_of(self, choice, option);
    settle(self, choice, foresight.others_seen);
    if (!foresight.seen)
        return option;
    self->keep->foreseen++;
    return PICK_SEEN;
}

/* Takes the first option if it is affordable. Otherwise puts the state aside. */
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

/* Returns true if the state is new. */
static bool visit(struct search *self, const struct fingerprint *state, uint32_t *mark) {
    enum visited_answer answer = visited_add_noted(&self->visited, state, mark);
    struct strata *strata = self->strata;
    if (answer == VISITED_BEFORE)
        return false;
    strata->forgetful |= visited_is_full(&self->visited);
    if (self->branched) /* before that the program initialises itself */
        strata_count_state(strata);
    return true;
}

/* Ends the execution in a state that was seen before. */
static bool come_round(struct search *self, const struct fingerprint *state, uint32_t mark,
                       uint32_t level) {
    if (level <= self->level || level == LEVEL_MAX) {
        self->strata->rounds = true;
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

/* Returns false if the state was seen before. */
static bool visit_state(struct search *self, const struct fingerprint *state) {
    uint32_t level = self->base.inputs->execution->decision_count,
             mark = ends_mark(&self->ends, level);
    if (visit(self, state, &mark))
        return pass(self, state, true, level);
    return come_round(self, state, mark, ends_level(mark));
}

/* Returns false if the key of the state was seen before. Several keys can belong to the same state:
 * the key has the level, and the state itself has the mark. */
static bool visit_key(struct search *self, const struct choice *choice) {
    struct fingerprint key = self->cost->key(self, self->now.own, choice);
    uint32_t level = self->base.inputs->execution->decision_count;
    uint32_t mark = ends_mark(&self->ends, level), key_mark = mark;
    if (self->cost->counts_keys)
        return visit_state(self, &key);
    bool new = visit(self, choice->fingerprint, &mark);
    if (visited_add_noted(&self->visited, &key, &key_mark) != VISITED_BEFORE)
        return pass(self, choice->fingerprint, new, level);
    return come_round(self, choice->fingerprint, mark, ends_level(key_mark));
}

/* The cost enters the state before the set of visited states is asked, though that would be
 * needless for a state that was seen. Meanwhile the memory arrives that search_expect() has asked
 * for. */
static uint32_t enter(struct search *self, const struct choice *choice) {
    const struct cost_ops *cost = self->cost;
    begin_options(self, choice);
    if (cost->enter != NULL && !cost->enter(self, self->now.own, choice))
        return PICK_MISTAKEN;
    bool new = cost->key != NULL ? visit_key(self, choice) : visit_state(self, choice->fingerprint);
    return new ? take_first(self, choice) : PICK_SEEN;
}

static void search_expect(struct strategy *base, const struct fingerprint *fingerprint) {
    visited_expect(&((struct search *)base)->visited, fingerprint);
}

/* --- the strategy ---------------------------------------------------------------------------- */

/* Begins the next stratum. Fig. 5 goes on at db' + 1. With a step of more than one, that is the
 * cheapest stratum that is not done yet. */
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
    strata_begin(self->strata, self->bound);
    return true;
}

static void begin_first(struct search *self) {
    self->started = true;
    self->strata->on = true;
    if (self->cost->begin != NULL)
        self->cost->begin(self, self->now.own);
    strata_begin(self->strata, self->bound);
}

static void begin_from_frame(struct search *self, struct plan *plan) {
    const struct frame *frame = &self->frames[--self->depth];
    self->pause_used = frame->at;
    plan->start = START_AT_PREFIX;
    plan->prefix = frame->decisions;
    self->paid = frame->cost;
    self->goes_back = true;
    self->from = self->pauses + frame->at;
    self->from_size = frame->size;
}

static void begin_from_frontier(struct search *self, struct plan *plan) {
    self->frontier--;
    self->paid = self->bound_before;
    plan->start = START_ON_SHELF;
    self->goes_back = true;
    self->from = NULL;
}

static void settle_ends(struct search *self) {
    struct strata *strata = self->strata;
    ends_settle(&self->ends);
    strata->endless = self->ends.open;
    /* The engine says of a prefix only which state it leads to. A pair cannot be told from that
     * state alone. */
    strata->endless_unknown =
        self->ends.unknown || (self->cost->counts_keys && self->ends.open > 0);
}

bool search_begin(struct strategy *base, struct plan *plan) {
    struct search *self = (struct search *)base;
    plan->by_states = true;
    plan->strata = self->strata;
    self->goes_back = false;
    ends_begin(&self->ends);
    self->wants_state = plan->wants_state = self->ends.open > 0;
    self->leads_on = false;
    share_memory(self);
    if (!self->started)
        begin_first(self);
    else if (self->depth > 0)
        begin_from_frame(self, plan);
    else if (self->frontier > 0 || next_stratum(self))
        begin_from_frontier(self, plan);
    else {
        self->strata->completed = self->strata->count;
        settle_ends(self);
        return false;
    }
    return true;
}

/* Goes on at a kept state that has options left. */
static uint32_t go_on(struct search *self, const struct choice *choice) {
    const struct strategy_inputs *inputs = self->base.inputs;
    self->goes_back = false;
    if (self->from != NULL)
        search_read(self, self->from, self->from_size);
    else
        search_read(self, inputs->bytes, inputs->byte_count);
    self->level = self->base.inputs->execution->decision_count;
    if (self->wants_state)
        ends_pass(&self->ends, &inputs->state, false);
    return self->now.count == choice->count ? take(self, choice) : PICK_DIVERGED;
}

uint32_t search_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct search *self = (struct search *)base;
    self->keep = keep;
    if (self->goes_back)
        return go_on(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        return enter(self, choice);
    begin_options(self, choice);
    return take(self, choice);
}

void search_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                struct report *report) {
    struct search *self = (struct search *)base;
    bool over = outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
    if (self->cost->bound == BOUND_DELAYS)
        report->delays = (int32_t)self->paid;
    report->diverged = self->goes_back; /* then the execution did not come as far as before */
    if (over && last != NULL && last->fingerprint != NULL) {
        uint32_t mark = MARK_ENDS;
        visit(self, last->fingerprint, &mark);
    }
    bool ended = !self->leads_on && outcome != OUTCOME_DEEP;
    ends_finish(&self->ends, ended, self->leads_on ? &self->seen : NULL);
}

const struct strategy_ops search_ops = {
    .begin = search_begin,
    .pick = search_pick,
    .end = search_end,
    .hooks = &(const struct strategy_hooks){.expect = search_expect},
};
