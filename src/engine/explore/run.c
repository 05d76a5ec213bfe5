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

static void begin_run(struct explorer *self, struct run *run, struct strategy *strategy,
                      bool evidence) {
    self->run = run;
    self->strategy = strategy;
    self->access_strategy = strategy->ops->access != NULL ? strategy : NULL;
    self->branched = self->over = self->saving = false;
    self->remembers = self->session->remembers_states = strategy->ops->remembers_states;
    self->analysis_count = self->remembers ? self->stateful_analyses : self->analysis_total;
    find_listeners(self);
    self->host.wants_accesses =
        (self->access_analysis != NULL && !self->remembers) || self->access_strategy != NULL;
    self->repeated_to = 0;
    self->unshelved = NULL;
    self->steps = 0;
    self->host.evidence = evidence;
    self->session->current = self->context.execution = &run->execution;
    execution_clear(&run->execution);
    run->candidate_count = 0;
}

/* Nobody can go on, for whatever reason. */
static bool is_over(enum outcome outcome) {
    return outcome == OUTCOME_ENDED || outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
}

static void end_analyses(struct explorer *self) {
    if (is_over(self->outcome))
        self->system->ops->pending(self->system, &self->choice);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->end(self->analyses[i], self->outcome, &self->choice);
    /* A last state is a state, too. */
    if (self->remembers && is_over(self->outcome))
        self->choice.fingerprint = explorer_recognise(self);
}

/* The state in which an execution of the search has ended, if it has not been there before. */
static void count_final_state(struct explorer *self) {
    const struct system_ops *ops = self->system->ops;
    bool complete = self->outcome == OUTCOME_ENDED || self->outcome == OUTCOME_STUCK;
    struct fingerprint state;
    if (!self->session->options.final_states || self->host.evidence || !complete)
        return;
    if (ops->fingerprint != NULL && ops->fingerprint(self->system, &state) &&
        visited_add(&self->finals, &state) != VISITED_BEFORE)
        self->session->counters.final_states++;
}

static uint32_t decide_now(struct explorer *self) {
    self->outcome = self->system->ops->outcome(self->system);
    return explorer_decide(self);
}

static void note_depth(struct explorer *self, bool evidence) {
    struct session *session = self->session;
    session->counters.depth_max = self->steps;
    if (!evidence)
        rounds_look(&session->rounds, &self->run->execution, session_begun(&session->counters) + 1);
}

static enum outcome attempt(struct explorer *self, struct run *run, struct strategy *strategy,
                            bool evidence) {
    begin_run(self, run, strategy, evidence);
    explorer_start(self);
    uint32_t next = decide_now(self);
    while (next != NO_TASK) {
        self->system->ops->run(self->system, next);
        if (self->saving && !self->remembers)
            explorer_save_checkpoint(self);
        next = self->saving ? decide_now(self) : NO_TASK;
    }
    if (self->outcome == OUTCOME_RESTART)
        return OUTCOME_RESTART;
    if (self->outcome == OUTCOME_RUNNING)
        self->outcome = run->candidate_count ? OUTCOME_FAILED : OUTCOME_BLOCKED;
    if (self->steps > self->session->counters.depth_max)
        note_depth(self, evidence);
    end_analyses(self);
    count_final_state(self);
    return self->outcome;
}

enum outcome explorer_run(struct explorer *self, struct run *run, struct strategy *strategy,
                          bool evidence) {
    enum outcome outcome;
    execution_clear(&self->redo);
    while ((outcome = attempt(self, run, strategy, evidence)) == OUTCOME_RESTART) {
        execution_copy(&self->redo, &run->execution);
        explorer_forget_states(self);
    }
    return outcome;
}
