/* portfolio.c - several strategies in turn: who is good at a program is seldom known before.
 *
 * Each member has a slice of steps (--slice), then it is the turn of the next; with every round slices are twice as
 * long. Steps are counted, not time: so a run can be repeated. The engine keeps a lane for each member
 * (strategy.lane), so nobody notices the others. The search is over when a member has explored
 * everything; one that has lost something on the way (a bound, memory) just leaves.
 *
 * Members that remember states need programs in which nothing but operations matters: machines, or
 * plain accesses as operations (--races=explore), or the user's word (--races=ignore). Otherwise, and
 * where states cannot be compared, they are left out, which is said. What the program is shows in the first
 * execution, which a member that samples makes. */
#include "strategies/strategies.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "engine/members.h"

enum { LAST_SLICE = 1 << 24 };

static const struct choice_of_member {
    const char *strategy, *explorer;
} chosen[] = {
    {"ss", "rtc"}, {"ses", "rtc"},    {"ses", "rr"}, {"ses", "prr"},
    {"ss", "rr"},  {"optimal", NULL}, {"pct", NULL}, {"random", NULL},
};
enum { MEMBERS = sizeof chosen / sizeof *chosen };
_Static_assert((int)MEMBERS <= (int)MEMBERS_MAX, "a row each");

struct portfolio {
    struct strategy base;
    struct strategy_ops ops; /* the nature of whoever decides now, functions of this one */
    struct strategy *inner[MEMBERS];
    struct strata strata[MEMBERS];
    struct strata *all; /* borrowed: that of the session */
    bool over[MEMBERS];
    bool by_report; /* --races=report */
    uint32_t now;   /* whose turn it is */
    uint64_t used, slice;
};

/* --- what the engine and the member share ------------------------------------------------------ */

static struct strategy *inner_of(struct portfolio *self) {
    return self->inner[self->now];
}

static void tell_member(struct portfolio *self) {
    struct strategy *inner = inner_of(self);
    inner->racy = self->base.racy;
    inner->prefix = self->base.prefix;
    inner->states = self->base.states;
}

static void ask_member(struct portfolio *self) {
    const struct strategy *inner = inner_of(self);
    self->base.prefix = inner->prefix;
    self->base.returns = inner->returns;
    self->base.states = inner->states;
    self->base.delays = inner->delays;
    self->base.diverged = inner->diverged;
    if (inner->error[0])
        memcpy(self->base.error, inner->error, sizeof inner->error);
}

static void portfolio_resume(struct strategy *base, uint32_t decisions) {
    struct strategy *inner = inner_of((struct portfolio *)base);
    inner->ops->resume(inner, decisions);
}

static void portfolio_access(struct strategy *base, uint64_t address, uint32_t size) {
    struct strategy *inner = inner_of((struct portfolio *)base);
    inner->ops->access(inner, address, size);
}

static void portfolio_expect(struct strategy *base, const struct fingerprint *fingerprint) {
    struct strategy *inner = inner_of((struct portfolio *)base);
    inner->ops->expect(inner, fingerprint);
}

/* As the member is: the engine goes by that. */
static void dress(struct portfolio *self) {
    const struct strategy_ops *ops = inner_of(self)->ops;
    self->ops.remembers_states = ops->remembers_states;
    self->ops.resume = ops->resume != NULL ? portfolio_resume : NULL;
    self->ops.expect = ops->expect != NULL ? portfolio_expect : NULL;
    self->ops.access = ops->access != NULL ? portfolio_access : NULL;
    self->base.lane = self->now;
}

/* --- turns ------------------------------------------------------------------------------------- */

static struct member_row *row_of(struct portfolio *self) {
    return &self->base.members->rows[self->now];
}

static void leave(struct portfolio *self, const char *why) {
    self->over[self->now] = true;
    snprintf(row_of(self)->note, MEMBER_NOTE, "%s", why);
}

static void next_turn(struct portfolio *self) {
    self->used = 0;
    if (++self->now < MEMBERS)
        return;
    self->now = 0;
    if (self->slice < LAST_SLICE)
        self->slice *= 2;
}

/* Why whoever's turn it is cannot take part; NULL if it can. */
static const char *objection(const struct portfolio *self) {
    if (!self->inner[self->now]->ops->remembers_states)
        return NULL;
    if (self->base.stateless)
        return "states cannot be compared";
    if (self->by_report && !self->base.private_memory)
        return "remembers states, not data races (see --races)";
    return NULL;
}

static bool anybody_left(const struct portfolio *self) {
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (!self->over[i])
            return true;
    return false;
}

/* Whoever is next, and has not left. */
static void settle_turn(struct portfolio *self) {
    if (self->used >= self->slice)
        next_turn(self);
    while (anybody_left(self)) {
        if (!self->over[self->now] && objection(self) != NULL)
            leave(self, objection(self));
        if (!self->over[self->now])
            return;
        next_turn(self);
    }
}

/* It has nothing left to do. Is that all there is? */
static bool is_complete(const struct portfolio *self) {
    const struct strategy *inner = self->inner[self->now];
    return inner->ops->exhaustive && !inner->hid_options && !inner->unsure &&
           self->strata[self->now].frontier_lost == 0;
}

static bool begin_member(struct portfolio *self) {
    struct strategy *inner = inner_of(self);
    inner->execution = self->base.execution;
    inner->racy = self->base.racy;
    inner->states.strata = &self->strata[self->now];
    bool begun = inner->ops->begin(inner);
    ask_member(self);
    if (begun)
        dress(self);
    return begun;
}

/* --- the strategy ------------------------------------------------------------------------------ */

static struct strategy *portfolio_create(struct pool *pool, const struct options *options) {
    struct portfolio *self = pool_alloc(pool, sizeof *self);
    uint64_t remembering = 0;
    for (uint32_t i = 0; i < MEMBERS; i++)
        remembering += strategy_named(chosen[i].strategy)->remembers_states;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        struct options own = *options;
        if (chosen[i].explorer != NULL)
            strcpy(own.explorer, chosen[i].explorer);
        own.memory_limit = options->memory_limit / remembering;
        own.cycles = true; /* a member does not begin again */
        self->inner[i] = strategy_named(chosen[i].strategy)->create(pool, &own);
        self->inner[i]->delays = -1;
    }
    self->ops = portfolio_strategy;
    self->base.ops = &self->ops;
    self->by_report = options->races == RACES_REPORT;
    self->slice = options->slice ? options->slice : DEFAULT_SLICE;
    return &self->base;
}

static void name_members(struct portfolio *self) {
    struct members *members = self->base.members;
    if (members->count > 0)
        return;
    for (; members->count < MEMBERS; members->count++) {
        const struct choice_of_member *one = &chosen[members->count];
        snprintf(members->rows[members->count].name, MEMBER_NAME, "%s%s%s", one->strategy,
                 one->explorer ? " " : "", one->explorer ? one->explorer : "");
    }
}

/* What the member that has seen everything knows of it. */
static void hand_over(struct portfolio *self) {
    const struct strata *strata = &self->strata[self->now];
    self->all->endless = strata->endless;
    self->all->endless_unknown = strata->endless_unknown;
    self->all->rounds = strata->rounds;
}

static bool portfolio_begin(struct strategy *base) {
    struct portfolio *self = (struct portfolio *)base;
    name_members(self);
    if (self->all == NULL)
        self->all = base->states.strata;
    for (settle_turn(self); anybody_left(self); settle_turn(self)) {
        if (begin_member(self))
            return true;
        if (is_complete(self)) {
            base->members->winner = self->now + 1;
            hand_over(self);
            return false;
        }
        leave(self, "came to an end without having seen everything");
    }
    base->hid_options = true; /* nobody is left, and nobody has seen everything */
    return false;
}

static uint32_t portfolio_pick(struct strategy *base, const struct choice *choice) {
    struct portfolio *self = (struct portfolio *)base;
    struct strategy *inner = inner_of(self);
    tell_member(self);
    self->used++;
    uint32_t picked = inner->ops->pick(inner, choice);
    ask_member(self);
    return picked;
}

static void portfolio_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct portfolio *self = (struct portfolio *)base;
    struct strategy *inner = inner_of(self);
    if (base->stateless && inner->ops->remembers_states) {
        leave(self, objection(self));
        return;
    }
    self->used++; /* an execution in which nobody can move takes no step, and must not go on for ever */
    tell_member(self);
    inner->ops->end(inner, outcome, last);
    ask_member(self);
    row_of(self)->states = self->strata[self->now].states;
}

const struct strategy_ops portfolio_strategy = {
    .name = "portfolio",
    .summary = "several of these in turn: ss, ses (rtc, rr, prr), optimal, pct, random",
    .exhaustive = true,
    .has_members = true,
    .create = portfolio_create,
    .begin = portfolio_begin,
    .pick = portfolio_pick,
    .end = portfolio_end,
};
