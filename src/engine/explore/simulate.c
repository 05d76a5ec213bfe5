/* simulate.c - executions of the simulator, one after the other, as its user wants them: dialogue.h. What
 * is found is not confirmed: the user looks at it, and whoever saves it can replay it. */
#include "base/check.h"
#include "engine/dialogue.h"
#include "engine/explore/explorer.h"

/* With all stacks: the user sees them. */
void explorer_simulate(struct explorer *self) {
    struct session *session = self->session;
    struct dialogue *dialogue = session->options.dialogue;
    dialogue->system = self->system;
    dialogue->findings = self->explored.candidates;
    dialogue->finding_count = &self->explored.candidate_count;
    dialogue_await(dialogue);
    if (session->stop) {
        session->phase = PHASE_DONE;
        return;
    }
    session->phase = PHASE_EXPLORING;
    CHECK(self->search->ops->begin(self->search));
    enum outcome outcome = explorer_run(self, &self->explored, self->search, true);
    bool stuck = outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED;
    explorer_finish_simulation(self, outcome, stuck ? &self->choice : NULL);
}

void explorer_finish_simulation(struct explorer *self, enum outcome outcome,
                                const struct choice *last) {
    struct session *session = self->session;
    session->counters.executions++;
    session->phase = outcome == OUTCOME_ERROR ? PHASE_DONE : PHASE_BETWEEN;
    dialogue_end(session->options.dialogue, outcome, last);
}
