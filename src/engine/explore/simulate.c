/* simulate.c - executions of the simulator, one after the other, as its user wants them: see
 * dialogue.h. A finding is not confirmed: the user looks at it, and can save and replay it. */
#include "base/check.h"
#include "engine/dialogue.h"
#include "engine/explore/explorer.h"

/* Records all stacks, because the user sees them. */
void explorer_simulate(struct explorer *self) {
    struct session *session = self->session;
    struct dialogue *dialogue = session->request.options.dialogue;
    dialogue->system = self->system;
    dialogue->findings = self->explored.candidates;
    dialogue->finding_count = &self->explored.candidate_count;
    dialogue_await(dialogue);
    if (session->live.stop) {
        session->live.phase = PHASE_DONE;
        return;
    }
    session->live.phase = PHASE_EXPLORING;
    struct plan plan = {0};
    CHECK(self->search->ops->begin(self->search, &plan));
    plan.evidence = true;
    enum outcome outcome = explorer_run(self, &self->explored, self->search, &plan);
    bool stuck = outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
    explorer_finish_simulation(self, outcome, stuck ? &self->choice : NULL);
}

void explorer_finish_simulation(struct explorer *self, enum outcome outcome,
                                const struct choice *last) {
    struct session *session = self->session;
    session->result.counters.executions++;
    session->live.phase = outcome == OUTCOME_ERROR ? PHASE_DONE : PHASE_BETWEEN;
    dialogue_end(session->request.options.dialogue, outcome, last);
}
