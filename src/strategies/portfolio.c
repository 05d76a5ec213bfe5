/* portfolio.c - several strategies in turn, because it is seldom known beforehand which one is good
 * at a program.
 *
 * Each member has a slice of steps (--slice); then the next member has its turn. With every round
 * slices get twice as long. Steps are counted, not time, so that a run can be repeated. The engine
 * keeps a lane for each member (plan.lane), so no member notices the others. The search is over
 * when a member has explored everything. A member that has lost something on the way (to a bound,
 * or for want of memory) just leaves.
 *
 * Members that remember states need programs in which only operations matter: machines, or plain
 * accesses as operations (--races=explore), or the user's word (--races=ignore). Otherwise, and if
 * states cannot be compared, these members are left out, and the report says so. The first
 * execution shows what kind of program it is; a member that samples makes it. */
#include "strategies/strategies.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "engine/members.h"
#include "engine/strata.h"
#include "strategies/wrapper.h"

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
    struct wrapper wrapper; /* the wrapper is around the member that decides now */
    struct strategy *inner[MEMBERS];
    struct strata strata[MEMBERS];
    struct strata *all;      /* borrowed: the strata of the session */
    struct members *members; /* borrowed */
    bool over[MEMBERS];
    bool by_report; /* true with --races=report */
    uint32_t now;   /* index of the member that decides now */
    uint64_t used, slice;
};

static struct strategy *inner_of(struct portfolio *self) {
    return self->inner[self->now];
}

/* --- turns ------------------------------------------------------------------------------------ */

static struct member_row *row_of(struct portfolio *self) {
    return &self->members->rows[self->now];
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

/* Returns why the member that is next cannot take part; NULL if it can. */
static const char *objection(const struct portfolio *self) {
    const struct strategy_inputs *inputs = self->wrapper.base.inputs;
    if (!strategy_has(self->inner[self->now]->info, GOES_BY_STATES))
        return NULL;
    if (inputs->stateless)
        return "states cannot be compared";
    if (self->by_report && !inputs->private_memory)
        return "remembers states, not data races (see --races)";
    return NULL;
}

static bool anybody_left(const struct portfolio *self) {
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (!self->over[i])
            return true;
    return false;
}

/* Finds the next member that has not left. */
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

/* The member has nothing left to do. Returns true if it has explored everything. */
static bool is_complete(const struct portfolio *self) {
    const struct strategy *inner = self->inner[self->now];
    return strategy_has(inner->info, EXHAUSTIVE) && !inner->hid_options && !inner->unsure &&
           self->strata[self->now].frontier_lost == 0;
}

/* --- the strategy ----------------------------------------------------------------------------- */

/* Hands over what the member that has explored everything knows of the program. */
static void hand_over(struct portfolio *self) {
    const struct strata *strata = &self->strata[self->now];
    self->members->winner = self->now + 1;
    self->all->endless = strata->endless;
    self->all->endless_unknown = strata->endless_unknown;
    self->all->rounds = strata->rounds;
}

/* Members know different trees. So the share of one tree is not a share of all, and no part of one
 * can be given away. */
static bool begin_member(struct portfolio *self, struct plan *plan) {
    struct strategy *inner = inner_of(self);
    wrapper_change(&self->wrapper, inner);
    self->wrapper.ops.explored = NULL;
    self->wrapper.ops.share = NULL;
    *plan = (struct plan){.lane = self->now};
    return inner->ops->begin(inner, plan);
}

static bool portfolio_begin(struct strategy *base, struct plan *plan) {
    struct portfolio *self = (struct portfolio *)base;
    for (settle_turn(self); anybody_left(self); settle_turn(self)) {
        if (begin_member(self, plan))
            return true;
        if (is_complete(self)) {
            hand_over(self);
            return false;
        }
        leave(self, "came to an end without having seen everything");
    }
    base->hid_options = true; /* no member is left, and none has explored everything */
    return false;
}

/* The caveats of a member are not copied to the portfolio: see is_complete(). */
static uint32_t portfolio_pick(struct strategy *base, const struct choice *choice,
                               struct keep *keep) {
    struct portfolio *self = (struct portfolio *)base;
    struct strategy *inner = inner_of(self);
    self->used++;
    uint32_t picked = inner->ops->pick(inner, choice, keep);
    base->mistake = inner->mistake;
    return picked;
}

static void portfolio_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                          struct report *report) {
    struct portfolio *self = (struct portfolio *)base;
    struct strategy *inner = inner_of(self);
    if (objection(self) != NULL) {
        leave(self, objection(self));
        return;
    }
    self->used++; /* also an execution without a step, or such executions could go on for ever */
    strategy_end(inner, outcome, last, report);
    row_of(self)->states = self->strata[self->now].states;
}

/* --- creating it ------------------------------------------------------------------------------ */

static void name_member(const struct portfolio *self, uint32_t index) {
    const struct choice_of_member *one = &chosen[index];
    snprintf(self->members->rows[index].name, MEMBER_NAME, "%s%s%s", one->strategy,
             one->explorer ? " " : "", one->explorer ? one->explorer : "");
}

static struct strategy *member_create(struct portfolio *self, uint32_t index,
                                      const struct strategy_context *context, uint64_t memory) {
    const struct choice_of_member *one = &chosen[index];
    struct options options = *context->options;
    struct strategy_context own = *context;
    if (one->explorer != NULL)
        strcpy(options.explorer, one->explorer);
    options.memory_limit = memory;
    options.cycles = true; /* a member cannot begin again */
    own.options = &options;
    own.strata = &self->strata[index];
    return strategy_named(one->strategy)->create(&own);
}

/* The members that go by states share the memory for states. */
static uint64_t memory_of_member(const struct options *options) {
    uint64_t members = 0;
    for (uint32_t i = 0; i < MEMBERS; i++)
        members += strategy_has(strategy_named(chosen[i].strategy), GOES_BY_STATES);
    return options->memory_limit / members;
}

static struct strategy *portfolio_create(const struct strategy_context *context) {
    const struct options *options = context->options;
    struct portfolio *self = strategy_new(context, sizeof *self, &portfolio_strategy, NULL);
    self->all = context->strata;
    self->members = context->members;
    self->members->count = MEMBERS;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        self->inner[i] = member_create(self, i, context, memory_of_member(options));
        name_member(self, i);
    }
    self->by_report = options->races == RACES_REPORT;
    self->slice = options->slice ? options->slice : DEFAULT_SLICE;
    wrapper_put(&self->wrapper, self->inner[0]);
    self->wrapper.ops.begin = portfolio_begin;
    self->wrapper.ops.pick = portfolio_pick;
    self->wrapper.ops.end = portfolio_end;
    return &self->wrapper.base;
}

const struct strategy_info portfolio_strategy = {
    .name = "portfolio",
    .summary = "several of these in turn: ss, ses (rtc, rr, prr), optimal, pct, random",
    .traits = EXHAUSTIVE | HAS_MEMBERS,
    .create = portfolio_create,
};
