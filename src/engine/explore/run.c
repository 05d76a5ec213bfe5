/* run.c - one execution, from its start to its outcome. */
#include "engine/explore/explorer.h"

static void find_listeners(struct explorer *self) {
    self->listener_count = self->watcher_count = 0;
    for (uint32_t i = 0; i < self->analysis_count; i++) {
        if (!explorer_takes_part(self, self->analyses[i]))
            continue;
        if (self->analyses[i]->ops->event != NULL)
            self->listeners[self->listener_count++] = self->analyses[i];
        if (self->analyses[i]->ops->state != NULL)
            self->watchers[self->watcher_count++] = self->analyses[i];
    }
}

/* Steps that are foreseen are not made: nobody hears of them. */
static bool foresees(const struct explorer *self) {
    return self->plan.by_states && !self->plan.evidence && self->listener_count == 0 &&
           self->session->result.records.tree == NULL;
}

static void begin_run(struct explorer *self, struct run *run, struct strategy *strategy) {
    static const struct strategy_hooks none;
    bool by_states = self->plan.by_states;
    self->run = run;
    self->strategy = strategy;
    self->hooks = strategy->ops->hooks != NULL ? strategy->ops->hooks : &none;
    self->branched = self->over = self->saving = self->diverged = false;
    self->session->live.states.remembered = by_states;
    self->session->result.observed.unjudged |= by_states && self->states_miss;
    self->analysis_count = by_states ? self->stateful_analyses : self->analysis_total;
    find_listeners(self);
    self->inputs.foreseeing = foresees(self) ? self->system : NULL;
    self->wants_accesses = self->host.wants_accesses =
        (self->access_analysis != NULL && !by_states) || self->hooks->access != NULL;
    self->within_section = false;
    self->repeated_to = 0;
    self->unshelved = NULL;
    self->steps = 0;
    self->host.evidence = self->plan.evidence;
    self->session->live.current = self->context.execution = &run->execution;
    execution_clear(&run->execution);
    run->candidate_count = run->own_finding = 0;
}

/* Returns true if no task can go on, for whatever reason. */
static bool is_over(enum outcome outcome) {
    return outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
}

static bool is_complete(enum outcome outcome) {
    return outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK;
}

static void end_analyses(struct explorer *self) {
    if (is_over(self->outcome))
        self->system->ops->pending(self->system, &self->choice);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->end(self->analyses[i], self->outcome, &self->choice);
    /* the last state of an execution is a state, too */
    if (self->plan.by_states && is_over(self->outcome))
        self->choice.fingerprint = explorer_recognise(self);
}

/* Counts the state in which an execution of the search has ended, if no earlier one has ended
 * there. */
static void count_final_state(struct explorer *self) {
    const struct system_ops *ops = self->system->ops;
    struct fingerprint state;
    if (!self->session->request.options.final_states)
        return;
    if (ops->fingerprint != NULL && ops->fingerprint(self->system, &state) &&
        visited_add(&self->finals, &state) != VISITED_BEFORE)
        self->session->result.counters.final_states++;
}

static void note_depth(struct explorer *self) {
    struct session *session = self->session;
    session->result.counters.depth_max = self->steps;
    if (!self->host.evidence)
        rounds_look(&session->result.scale.rounds, &self->run->execution,
                    counters_begun(&session->result.counters) + 1);
}

static enum outcome attempt(struct explorer *self, struct run *run, struct strategy *strategy) {
    begin_run(self, run, strategy);
    explorer_start(self);
    explorer_make_steps(self);
    if (self->outcome == OUTCOME_RESTART)
        return OUTCOME_RESTART;
    if (self->outcome == OUTCOME_RUNNING)
        self->outcome = run->candidate_count ? OUTCOME_FAILED : OUTCOME_BLOCKED;
    if (self->steps > self->session->result.counters.depth_max)
        note_depth(self);
    end_analyses(self);
    if (!self->host.evidence && is_complete(self->outcome)) {
        scale_end(&self->session->result.scale, self->steps);
        count_final_state(self);
    }
    return self->outcome;
}

enum outcome explorer_run(struct explorer *self, struct run *run, struct strategy *strategy,
                          const struct plan *plan) {
    enum outcome outcome;
    self->plan = *plan;
    execution_clear(&self->redo);
    while ((outcome = attempt(self, run, strategy)) == OUTCOME_RESTART) {
        execution_copy(&self->redo, &run->execution);
        explorer_forget_states(self);
    }
    return outcome;
}
