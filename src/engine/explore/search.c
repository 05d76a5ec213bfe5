/* search.c - the executions of the search, one after the other: the strategy says what comes next,
 * and the result counts what was done. */
#include <stdio.h>

#include "engine/explore/explorer.h"
#include "engine/tree.h"
#include "engine/branches.h"

static void count_execution(struct counters *counters, enum outcome outcome) {
    switch (outcome) {
    case OUTCOME_ENDED:
    case OUTCOME_STUCK:
    case OUTCOME_FAILED: counters->executions++; break;
    case OUTCOME_ASSUMED:
    case OUTCOME_DROPPED: counters->dropped_executions++; break;
    case OUTCOME_BLOCKED: counters->blocked_executions++; break;
    case OUTCOME_IDLE: counters->idle_executions++; break;
    case OUTCOME_DEEP: counters->deep_executions++; break;
    case OUTCOME_CUT: counters->cut_executions++; break;
    case OUTCOME_SEEN: counters->seen_executions++; break;
    case OUTCOME_RUNNING:
    case OUTCOME_RESTART:
    case OUTCOME_ERROR: break;
    }
}

static void estimate(struct explorer *self) {
    struct session *session = self->session;
    estimate_update(&session->result.scale.estimate, self->search,
                    result_begun_now(&session->result), session->result.counters.steps,
                    self->steps);
    if (session->request.options.sample)
        samples_add(&session->result.scale.samples, &self->explored.execution);
}

static void count_samples(struct explorer *self) {
    struct session *session = self->session;
    if (self->report.samples > 0)
        sampling_add(&session->result.reached.sampling, self->report.stratum, self->report.samples,
                     session->result.counters.executions);
}

static bool minimises(const struct explorer *self) {
    return self->session->request.options.mode == MODE_MINIMISE;
}

/* Adds the execution with all of its findings, also those that are known already. */
static void add_to_tree(struct explorer *self, enum outcome outcome) {
    const struct session *session = self->session;
    const struct run *run = &self->explored;
    const struct tree_end end = {
        .execution = counters_begun(&session->result.counters),
        .several = session->request.options.deepen != BOUND_NONE ||
                   session->result.reached.members.count > 0,
        .limit = session->result.reached.deepening.limit,
        .member = self->lane,
        .outcome = outcome,
        .finding = run->candidate_count ? run->candidates[0].kind : FINDING_KINDS,
    };
    tree_add(session->result.records.tree, &run->execution, &end);
}

/* Returns true if the strategy stopped the execution. A repetition stops there, too. */
static bool was_left(enum outcome outcome) {
    return outcome == OUTCOME_BLOCKED || outcome == OUTCOME_IDLE || outcome == OUTCOME_SEEN ||
           outcome == OUTCOME_DEEP;
}

/* Adds the strategy's own finding to those of the execution. */
static void add_own_finding(struct explorer *self) {
    struct run *run = &self->explored;
    if (self->report.finding == NULL || run->candidate_count == CANDIDATES_MAX)
        return;
    run->own_finding = ++run->candidate_count;
    run->candidates[run->own_finding - 1] = *self->report.finding;
}

static void end_strategy(struct explorer *self, enum outcome outcome, const struct choice *last) {
    struct run *run = &self->explored;
    self->inputs.findings = run->candidates;
    self->inputs.finding_count = run->candidate_count;
    self->report = (struct report){.delays = -1};
    if (outcome == OUTCOME_ERROR || self->diverged)
        return;
    strategy_end(self->search, outcome, last, &self->report);
    self->diverged = self->report.diverged;
    add_own_finding(self);
}

/* Returns true if the search cannot go on: there was an error, the program does not repeat itself,
 * or an option is missing. */
static bool is_given_up(struct explorer *self, enum outcome outcome) {
    struct session *session = self->session;
    if (self->diverged)
        explorer_diverged(self, self->run->execution.event_count, &self->run->execution);
    if (self->search->lacks != LACKS_NOTHING)
        session->result.search.lacks = self->search->lacks;
    return self->diverged || outcome == OUTCOME_ERROR ||
           session->result.search.lacks != LACKS_NOTHING;
}

static void look_at_program(struct explorer *self) {
    self->inputs.private_memory = self->system->ops->private_memory;
    self->inputs.stateless |= self->system->ops->fingerprint == NULL;
}

void explorer_finish_search(struct explorer *self, enum outcome outcome,
                            const struct choice *last) {
    struct session *session = self->session;
    heap_blocks_keep_used(&self->explored.execution, self->explored.candidates,
                          self->explored.candidate_count);
    end_strategy(self, outcome, last);
    if (is_given_up(self, outcome)) {
        session->live.phase = PHASE_DONE;
        return;
    }
    count_execution(&session->result.counters, outcome);
    explorer_count_member(self);
    look_at_program(self);
    count_samples(self);
    estimate(self);
    add_to_tree(self, outcome);
    if (minimises(self))
        /* the strategy has seen the findings, and decides what to do with them */
        self->explored.candidate_count = 0;
    explorer_drop_known(self);
    self->replay_options.replay_stops = was_left(outcome);
    session->live.phase = self->explored.candidate_count ? PHASE_CONFIRMING : PHASE_BETWEEN;
}

static bool budget_left(const struct session *session) {
    uint64_t done = counters_begun(&session->result.counters);
    uint64_t bound = session->request.options.max_executions;
    return !session->live.stop && (bound == 0 || done < bound);
}

void explorer_create_search(struct explorer *self) {
    struct result *result = &self->session->result;
    const struct options options = deepen_options(&self->session->request.options, result);
    const struct strategy_context context = {
        .pool = self->session->pool,
        .options = &options,
        .inputs = &self->inputs,
        .branches = result->records.branches,
        .strata = &result->reached.strata,
        .members = &result->reached.members,
        .minimised = &result->minimised,
    };
    self->inputs.looks = self->session->live.looks;
    self->search = self->strategy_info->create(&context);
    if (self->search->explorer != NULL)
        snprintf(result->explorer_name, sizeof result->explorer_name, "%s", self->search->explorer);
}

/* Called when the strategy has nothing left. */
static void end_search(struct explorer *self) {
    struct session *session = self->session;
    if (deepen_on(&session->request.options, &session->result)) {
        checkpoints_forget(&self->checkpoints);
        explorer_create_search(self);
        session->live.phase = PHASE_BETWEEN;
        return;
    }
    session->result.search.exhausted = true;
    session->live.phase = PHASE_DONE;
}

static void note_strata(struct explorer *self, struct strata *strata) {
    if (strata == NULL || strata->count == 0)
        return;
    strata_note(strata, &self->strata_noted, &self->session->result.counters);
    strata->frontier = self->shelf.count;
    strata->frontier_bytes = self->shelf.bytes;
    uint64_t bytes = strata->visited_bytes + strata->frontier_bytes;
    if (bytes > strata->bytes_max)
        strata->bytes_max = bytes;
}

/* Returns false if nothing is left. */
static bool plan_next(struct explorer *self, struct plan *plan) {
    struct search_result *search = &self->session->result.search;
    bool more = self->search->ops->begin(self->search, plan);
    if (more)
        explorer_change_lane(self, plan);
    note_strata(self, plan->strata);
    search->bound_cut |= self->search->hid_options;
    search->unsure |= self->search->unsure;
    return more;
}

void explorer_search(struct explorer *self) {
    struct session *session = self->session;
    struct plan plan = {0};
    self->inputs.hurry = !budget_left(session);
    if (self->inputs.hurry && !minimises(self)) {
        session->live.phase = PHASE_DONE;
        return;
    }
    enum leaving leaving = leaving_due(&session->request.options, &session->result);
    if (leaving != LEAVES_NOT) { /* otherwise the supervisor may have a reason */
        session->result.search.leaving = leaving;
        session->live.phase = PHASE_DONE;
        return;
    }
    if (!plan_next(self, &plan)) {
        end_search(self);
        return;
    }
    session->live.phase = PHASE_EXPLORING;
    if (session->result.records.branches != NULL)
        session->result.records.branches->execution = counters_begun(&session->result.counters) + 1;
    enum outcome outcome = explorer_run(self, &self->explored, self->search, &plan);
    explorer_finish_search(self, outcome, outcome == OUTCOME_FAILED ? NULL : &self->choice);
}
