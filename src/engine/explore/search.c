/* search.c - the executions of the search, one after the other: the strategy says what comes next, and
 * the session counts what was done. */
#include <stdio.h>

#include "engine/explore/explorer.h"

static void count_execution(struct session_counters *counters, enum outcome outcome) {
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
    estimate_update(&session->estimate, self->search, session_begun_now(session),
                    session->counters.steps, self->steps);
    if (session->options.sample)
        samples_add(&session->samples, &self->explored.execution);
}

static void count_samples(struct explorer *self) {
    struct session *session = self->session;
    sampling_add(&session->sampling, self->search->stratum, self->search->samples,
                 session->counters.executions);
}

static bool minimises(const struct explorer *self) {
    return self->session->options.mode == MODE_MINIMISE;
}

/* With all that it found, also what is known already. */
static void add_to_tree(struct explorer *self, enum outcome outcome) {
    const struct session *session = self->session;
    const struct run *run = &self->explored;
    const struct tree_end end = {
        .execution = session_begun(&session->counters),
        .several = session->options.deepen != BOUND_NONE || session->members.count > 0,
        .limit = session->deepening.limit,
        .member = self->lane,
        .outcome = outcome,
        .finding = run->candidate_count ? run->candidates[0].kind : FINDING_KINDS,
    };
    tree_add(session->tree, &run->execution, &end);
}

/* The strategy went no further: nor does whoever repeats it. */
static bool was_left(enum outcome outcome) {
    return outcome == OUTCOME_BLOCKED || outcome == OUTCOME_IDLE || outcome == OUTCOME_SEEN ||
           outcome == OUTCOME_DEEP;
}

void explorer_finish_search(struct explorer *self, enum outcome outcome,
                            const struct choice *last) {
    struct session *session = self->session;
    self->search->findings = self->explored.candidates;
    self->search->finding_count = self->explored.candidate_count;
    heap_blocks_keep_used(&self->explored.execution, self->explored.candidates,
                          self->explored.candidate_count);
    if (outcome != OUTCOME_ERROR)
        self->search->ops->end(self->search, outcome, last);
    if (self->search->diverged)
        explorer_diverged(self, self->run->execution.event_count, &self->run->execution);
    if (self->search->lacks != LACKS_NOTHING)
        session->lacks = self->search->lacks;
    if (self->search->diverged || outcome == OUTCOME_ERROR || session->lacks != LACKS_NOTHING) {
        session->phase = PHASE_DONE;
        return;
    }
    count_execution(&session->counters, outcome);
    explorer_count_member(self);
    if (self->search->samples > 0)
        count_samples(self);
    estimate(self);
    add_to_tree(self, outcome);
    if (minimises(self))
        self->explored.candidate_count = 0; /* the strategy makes of them what it wants */
    explorer_drop_known(self);
    self->replay_options.replay_stops = was_left(outcome);
    session->phase = self->explored.candidate_count ? PHASE_CONFIRMING : PHASE_BETWEEN;
}

static bool budget_left(const struct session *session) {
    uint64_t done = session_begun(&session->counters);
    uint64_t bound = session->options.max_executions;
    return !session->stop && (bound == 0 || done < bound);
}

void explorer_create_search(struct explorer *self) {
    const struct options options = deepen_options(self->session);
    self->search = self->strategy_ops->create(self->session->pool, &options);
    self->search->execution = &self->explored.execution;
    self->search->branches = self->session->branches;
    self->search->delays = -1;
    self->search->states.strata = &self->session->strata;
    self->search->members = &self->session->members;
    self->search->minimised = &self->session->minimised;
    if (self->search->explorer != NULL)
        snprintf(self->session->explorer_name, sizeof self->session->explorer_name, "%s",
                 self->search->explorer);
}

/* The strategy has nothing left. */
static void end_search(struct explorer *self) {
    struct session *session = self->session;
    if (deepen_on(session)) {
        checkpoints_forget(&self->checkpoints);
        explorer_create_search(self);
        session->phase = PHASE_BETWEEN;
        return;
    }
    session->exhausted = true;
    session->phase = PHASE_DONE;
}

static void note_strata(struct explorer *self) {
    struct strata *strata = self->search->states.strata;
    if (strata->count == 0)
        return;
    strata_note(strata, &self->strata_noted, &self->session->counters);
    strata->frontier = self->shelf.count;
    strata->frontier_bytes = self->shelf.bytes;
    uint64_t bytes = strata->visited_bytes + strata->frontier_bytes;
    if (bytes > strata->bytes_max)
        strata->bytes_max = bytes;
}

void explorer_search(struct explorer *self) {
    struct session *session = self->session;
    self->search->hurry = !budget_left(session);
    if (self->search->hurry && !minimises(self)) {
        session->phase = PHASE_DONE;
        return;
    }
    bool more = self->search->ops->begin(self->search);
    if (more)
        explorer_change_lane(self, self->search->lane);
    note_strata(self);
    if (self->search->hid_options)
        session->bound_cut = true;
    session->unsure |= self->search->unsure;
    if (!more) {
        end_search(self);
        return;
    }
    session->phase = PHASE_EXPLORING;
    if (session->branches != NULL)
        session->branches->execution = session_begun(&session->counters) + 1;
    enum outcome outcome =
        explorer_run(self, &self->explored, self->search, self->search->evidence);
    explorer_finish_search(self, outcome, outcome == OUTCOME_FAILED ? NULL : &self->choice);
}
