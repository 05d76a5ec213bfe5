/* minimise.c - from an execution that fails to the smallest one that fails in the same way (way.h
 * has the order), the critical step in it, the nearest execution that passes, and the switch that
 * matters.
 *
 * One stage after the other, each with a share of the budget:
 *
 *   repeat    the execution that was found: it must come again, event for event
 *   brief     if it is long, random executions of at most half its steps
 *   shorten   small changes, as long as they make it smaller
 *   fewer     all executions with fewer switches, if they are few
 *   sample    random executions, if fewer has not tried all of them
 *   shorten   once more, if the execution is smaller since the first time
 *   shorter   all executions with fewer steps that are no larger otherwise, if they are few
 *   nearby    for every option that was not taken, one execution: does it pass?
 *   after     all executions that go on behind the critical step: does one pass?
 *   turn      for every preemption, the execution without it: does it pass?
 *   record    the smallest execution, and the one that passes, once more, with stacks
 *
 * Whatever the budget, the last stage runs, with what is known by then. Everything that ends up in
 * session->result.minimised has come twice.
 *
 * Left out: executions in which the program does not get on for a while (divergence). Each of them
 * would take that while, and users who ask for a smaller execution do not ask about these. */
#include "strategies/minimise/minimise.h"

#include "engine/minimised.h"
#include "strategies/strategies.h"
#include "event/event.h"

/* --- for the stages --- */

/* Returns true for a race other than the target. If the target is a race, both of its accesses have
 * been made when it is found, so their other order is no question. */
static bool races_besides(const struct minimise *self, const struct finding *finding) {
    return finding_info(finding->kind)->races && finding_signature(finding) != self->target;
}

bool minimise_leaves_open(const struct minimise *self) {
    const struct strategy_inputs *inputs = self->base.inputs;
    for (uint32_t i = 0; i < inputs->finding_count; i++)
        if (inputs->findings[i].early || races_besides(self, &inputs->findings[i]))
            return true;
    return false;
}

void minimise_accept(struct minimise *self) {
    self->best_leaves_open = minimise_leaves_open(self);
    execution_copy(&self->best, self->base.inputs->execution);
    way_copy(&self->best_way, &self->way);
    self->best_measure = way_measure(&self->way);
    self->shortened = false;
}

bool minimise_is_proven(const struct minimise *self) {
    return self->best_measure.switches <= self->tried;
}

bool minimise_is_larger(const struct minimise *self) {
    struct measure so_far = way_measure(&self->way);
    return measure_cost(&so_far) > measure_cost(&self->best_measure);
}

void minimise_follow(struct minimise *self, const struct decision *wishes, uint32_t count) {
    follow_begin(&self->follow, wishes, count);
    self->plan.prefix = follow_common(wishes, count, self->base.inputs->execution);
    self->plan.returns = false;
}

static uint32_t follow_on(struct minimise *self, const struct choice *choice) {
    return follow_pick(&self->follow, choice);
}

static void begin_once(struct minimise *self) {
    self->started = false;
}

static void go_on(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

/* --- the first stage: repeat --- */

static bool begin_repeat(struct minimise *self) {
    if (self->started)
        return false;
    self->started = true;
    minimise_follow(self, self->found->decisions, self->found->decision_count);
    self->plan.prefix = 0;
    return true;
}

/* An execution that was left unfinished, behind a data race, goes on here. */
static bool came_again(const struct minimise *self) {
    int64_t difference = execution_difference(self->found, self->base.inputs->execution);
    return difference < 0 || (self->found_unfinished && difference == self->found->event_count);
}

static void end_repeat(struct minimise *self, enum result result) {
    self->diverged = result != RESULT_TARGET || !came_again(self);
    minimise_accept(self);
    self->minimised->facts.found_switches = self->best_measure.switches;
}

static const struct stage repeat_stage = {.start = begin_once,
                                          .begin = begin_repeat,
                                          .pick = follow_on,
                                          .end = end_repeat,
                                          .finish = go_on};

/* --- the last stages: record --- */

/* Follows the execution from the start, with stacks. */
static bool record(struct minimise *self, const struct execution *execution) {
    if (self->started)
        return false;
    self->started = true;
    minimise_follow(self, execution->decisions, execution->decision_count);
    self->plan.prefix = 0;
    self->plan.evidence = true;
    return true;
}

static bool begin_smallest(struct minimise *self) {
    return record(self, &self->best);
}

static void end_smallest(struct minimise *self, enum result result) {
    struct minimised *minimised = self->minimised;
    self->diverged = result != RESULT_TARGET ||
                     execution_difference(&self->best, self->base.inputs->execution) >= 0;
    if (self->diverged)
        return;
    minimised->finding = *self->hit;
    execution_copy(&minimised->smallest, self->base.inputs->execution);
    minimised->has_smallest = true;
}

/* Returns the first event of the step in which that decision was made, from 1 on; 0 if the step has
 * none. The published execution was recorded with notes, which the execution with the decision does
 * not have. */
static uint32_t event_at(const struct minimise *self, bool known, uint32_t decision) {
    const struct execution *published = &self->minimised->smallest;
    if (!known || decision >= self->best_way.count)
        return 0;
    uint32_t before = self->best_way.marks[decision].events;
    for (uint32_t at = 0; at < published->event_count; at++) {
        uint32_t flags = published->events[at].flags;
        if (before == 0 && !(flags & EVENT_NOTE))
            return at + 1;
        if (before > 0 && (!(flags & EVENT_NOTE) || flags & EVENT_HINT))
            before--;
    }
    return 0;
}

static void write_facts(struct minimise *self, bool complete) {
    struct evidence *facts = &self->minimised->facts;
    (void)complete;
    facts->smallness = minimise_is_proven(self)                     ? SMALLNESS_PROVEN
                       : self->fewest < self->best_measure.switches ? SMALLNESS_TRADED
                                                                    : SMALLNESS_TRIED;
    facts->switches = self->best_measure.switches;
    facts->critical = event_at(self, self->critical_known, self->critical);
    facts->critical_within =
        facts->critical && self->best_way.marks[self->critical].tag != CHOICE_SCHEDULE;
    facts->critical_proven = self->critical_proven;
    facts->turn = event_at(self, self->turn_known, self->turn);
    facts->turned = facts->turn ? self->turned : NO_TASK;
    facts->tried = self->executions;
}

static bool begin_passing(struct minimise *self) {
    return self->has_passing && record(self, &self->passing);
}

static void end_passing(struct minimise *self, enum result result) {
    struct minimised *minimised = self->minimised;
    self->diverged = result != RESULT_PASSED ||
                     execution_difference(&self->passing, self->base.inputs->execution) >= 0;
    if (self->diverged)
        return;
    execution_copy(&minimised->passing, self->base.inputs->execution);
    minimised->has_passing = true;
}

static const struct stage smallest_stage = {.start = begin_once,
                                            .begin = begin_smallest,
                                            .pick = follow_on,
                                            .end = end_smallest,
                                            .finish = write_facts};
static const struct stage passing_stage = {.start = begin_once,
                                           .begin = begin_passing,
                                           .pick = follow_on,
                                           .end = end_passing,
                                           .finish = go_on};

/* Each stage has two limits, in parts of MINIMISED_ALL_TIME. It ends at the latest when `until` of
 * the whole budget is spent, or `alone` in this stage. The stages on which everything depends have
 * no limit. Fewer steps matter less than an execution that passes. So the search for fewer steps
 * must leave something for that, however early it begins. */
#define WHATEVER_IT_TAKES (MINIMISED_ALL_TIME + 1)

static const struct {
    const struct stage *stage;
    uint32_t until, alone;
} stages[] = {
    {&repeat_stage, WHATEVER_IT_TAKES, WHATEVER_IT_TAKES},
    {&brief_stage, 150, MINIMISED_ALL_TIME},
    {&shorten_stage, 300, MINIMISED_ALL_TIME},
    {&fewer_stage, 550, MINIMISED_ALL_TIME},
    {&sample_stage, 650, MINIMISED_ALL_TIME},
    {&shorten_stage, 720, MINIMISED_ALL_TIME},
    {&shorter_stage, 800, 200},
    {&nearby_stage, 860, MINIMISED_ALL_TIME},
    {&after_stage, 960, MINIMISED_ALL_TIME},
    {&turn_stage, MINIMISED_ALL_TIME, MINIMISED_ALL_TIME},
    {&smallest_stage, WHATEVER_IT_TAKES, WHATEVER_IT_TAKES},
    {&passing_stage, WHATEVER_IT_TAKES, WHATEVER_IT_TAKES},
};
enum { STAGES = sizeof stages / sizeof *stages };

/* --- the strategy --- */

enum { PATIENCE = 10, PATIENCE_LEAST = 10000 }; /* in decisions */

/* Returns how much is spent, of MINIMISED_ALL_TIME: of the executions or of the time, whichever is
 * scarcer. */
static uint64_t spent(const struct minimise *self) {
    uint64_t time = self->minimised->time, most = MINIMISED_ALL_TIME;
    uint64_t executions = self->budget > 0 ? self->executions * most / self->budget : 0;
    if (self->base.inputs->hurry)
        return most;
    return executions > time ? executions : time;
}

static void enter(struct minimise *self) {
    self->entered = true;
    self->spent_before = spent(self);
    stages[self->stage].stage->start(self);
}

static bool is_over(const struct minimise *self) {
    uint64_t now = spent(self);
    return now >= stages[self->stage].until ||
           now - self->spent_before >= stages[self->stage].alone;
}

static void begin_execution(struct minimise *self) {
    self->way.count = 0;
    self->hit = NULL;
    self->diverged = false;
    self->executions++;
}

static bool minimise_begin(struct strategy *base, struct plan *plan) {
    struct minimise *self = (struct minimise *)base;
    self->plan = (struct plan){0};
    for (; self->stage < STAGES; self->stage++, self->entered = false) {
        const struct stage *stage = stages[self->stage].stage;
        if (!self->entered)
            enter(self);
        bool complete = false;
        if (!is_over(self)) {
            if (stage->begin(self)) {
                begin_execution(self);
                *plan = self->plan;
                return true;
            }
            complete = true;
        }
        stage->finish(self, complete);
    }
    return false;
}

static void minimise_resume(struct strategy *base, uint32_t decisions) {
    struct minimise *self = (struct minimise *)base;
    self->way.count = decisions;
    self->tree.position = decisions;
    follow_resume(&self->follow, decisions);
}

/* Returns true if a task seems to go round and round, or no user would want to read the execution.
 * Such an execution counts as cut. */
static bool is_too_long(const struct minimise *self) {
    return self->way.count > PATIENCE_LEAST + PATIENCE * self->found->decision_count;
}

static uint32_t minimise_pick(struct strategy *base, const struct choice *choice,
                              struct keep *keep) {
    struct minimise *self = (struct minimise *)base;
    (void)keep;
    if (choice->tag == CHOICE_SCHEDULE && is_too_long(self))
        return PICK_NOTHING;
    uint32_t option = stages[self->stage].stage->pick(self, choice);
    if (option < choice->count)
        way_add(&self->way, choice, option, base->inputs->execution->event_count);
    return option < choice->count || option == PICK_NOTHING ? option : PICK_DIVERGED;
}

/* --- what came of it --- */

/* If a stack overflows, the instruction of the line at which it does so may differ from process to
 * process. So from the first execution on, the target is the finding as it came there. */
static bool resembles(const struct finding *a, const struct finding *b) {
    return a->kind == b->kind && a->task == b->task && a->stack_count == b->stack_count &&
           a->wait_count == b->wait_count;
}

static const struct finding *find_target(struct minimise *self) {
    const struct strategy_inputs *inputs = self->base.inputs;
    const struct finding *target = &self->minimised->target;
    const struct finding *similar = NULL;
    uint64_t signature = self->stage > 0 ? self->target : finding_signature(target);
    for (uint32_t i = 0; i < inputs->finding_count; i++) {
        const struct finding *finding = &inputs->findings[i];
        if (finding_signature(finding) == signature)
            return finding;
        if (self->stage == 0 && resembles(finding, target))
            similar = finding;
    }
    return similar;
}

/* With --keep-going an execution goes on behind a data race. If the strategy leaves it there,
 * because of a bound, it is not an execution that could come again. */
static enum result result_of(struct minimise *self, enum outcome outcome) {
    self->hit = find_target(self);
    if (self->hit != NULL && self->stage == 0)
        self->target = finding_signature(self->hit);
    if (self->hit != NULL && outcome != OUTCOME_BLOCKED) {
        uint32_t switches = way_switches(&self->way);
        self->fewest = switches < self->fewest ? switches : self->fewest;
        return RESULT_TARGET;
    }
    if (outcome == OUTCOME_CUT || is_too_long(self)) /* other findings of it do not matter */
        return RESULT_CUT;
    if (self->base.inputs->finding_count > 0)
        return RESULT_OTHER;
    return outcome == OUTCOME_ENDED ? RESULT_PASSED : RESULT_NOTHING;
}

static void minimise_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                         struct report *report) {
    struct minimise *self = (struct minimise *)base;
    (void)last;
    stages[self->stage].stage->end(self, result_of(self, outcome));
    report->diverged = self->diverged;
}

static const struct strategy_ops minimise_ops = {
    .begin = minimise_begin,
    .pick = minimise_pick,
    .end = minimise_end,
    .resume = minimise_resume,
};

static struct strategy *minimise_create(const struct strategy_context *context) {
    struct pool *pool = context->pool;
    struct minimise *self = strategy_new(context, sizeof *self, &minimise_strategy, &minimise_ops);
    self->minimised = context->minimised;
    self->found = context->options->replay;
    self->found_unfinished = context->options->replay_stops;
    self->budget = context->options->max_executions;
    self->fewest = UINT32_MAX;
    way_init(&self->way, pool);
    way_init(&self->best_way, pool);
    tree_init(&self->tree, pool);
    wishes_init(&self->wishes, pool);
    execution_init(&self->best, pool);
    execution_init(&self->passing, pool);
    return &self->base;
}

const struct strategy_info minimise_strategy = {
    .name = "minimise",
    .summary = "smaller executions that fail like the one of a trace",
    .create = minimise_create,
};
