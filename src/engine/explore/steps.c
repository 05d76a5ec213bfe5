/* steps.c - the step loop of an execution.
 *
 * The system runs a task, and asks after each step which task is next (explorer_next). So most
 * steps are made within one call of run(). If a state is to be saved, the system stops everything
 * first, and the loop goes on here. */
#include "engine/explore/explorer.h"

static void look_how_it_stands(struct explorer *self) {
    self->outcome = self->system->ops->outcome(self->system);
}

/* --- after each step -------------------------------------------------------------------------- */

static void count_step(struct explorer *self) {
    struct session *session = self->session;
    uint32_t decisions = self->run->execution.decision_count;
    self->steps++;
    session->live.heartbeat++;
    session->result.counters.steps++;
    if (!self->host.evidence && self->branched && decisions > self->plan.prefix &&
        decisions >= self->redo.decision_count)
        session->result.counters.transitions++;
}

/* A state is not saved while a finding of this execution is not yet reported. */
static bool save_is_due(const struct explorer *self) {
    uint32_t decisions = self->run->execution.decision_count;
    return decisions >= self->checkpoints.due && decisions <= self->plan.prefix &&
           self->run->candidate_count == 0 && self->outcome == OUTCOME_RUNNING;
}

/* Most executions end with one task that joins the others. There is nothing to choose then, so the
 * engine does not look at the state. */
static bool goes_on_alone(struct explorer *self, const struct pending *alone) {
    return alone != NULL && self->hooks->alone != NULL && self->outcome == OUTCOME_RUNNING &&
           !self->over && self->steps < self->session->request.options.max_steps &&
           self->run->execution.decision_count >= self->redo.decision_count &&
           self->hooks->alone(self->strategy, alone);
}

uint32_t explorer_next(struct host *host, const struct pending *alone) {
    struct explorer *self = (struct explorer *)host;
    look_how_it_stands(self);
    if (self->outcome != OUTCOME_RESTART)
        count_step(self);
    if (goes_on_alone(self, alone)) {
        self->saving = false;
        explorer_record(self, alone->task, 1, CHOICE_SCHEDULE);
        return alone->task;
    }
    self->saving = self->plan.by_states || save_is_due(self);
    return self->saving ? NO_TASK : explorer_decide(self);
}

/* --- where everything was stopped ------------------------------------------------------------- */

static uint32_t save_and_go_on(struct explorer *self) {
    if (!self->plan.by_states)
        explorer_save_checkpoint(self);
    look_how_it_stands(self);
    return explorer_decide(self);
}

void explorer_make_steps(struct explorer *self) {
    look_how_it_stands(self);
    uint32_t task = explorer_decide(self);
    while (task != NO_TASK) {
        self->system->ops->run(self->system, task);
        task = self->saving ? save_and_go_on(self) : NO_TASK;
    }
}
