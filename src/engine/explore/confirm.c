/* confirm.c - a finding must come again to be published.
 *
 * An execution with a finding is repeated by its decisions, with stacks. If its events are the
 * same, and so is the finding, this finding is published. Otherwise the program has nondeterminism
 * that is not controlled. A recorded execution (MODE_REPLAY) is repeated in the same way. */
#include <stdio.h>

#include "base/check.h"
#include "engine/explore/explorer.h"
#include "engine/tree.h"

bool explorer_is_known(const struct explorer *self, const struct finding *finding) {
    uint64_t signature = finding_signature(finding);
    for (uint32_t i = 0; i < self->seen_count; i++)
        if (self->seen[i] == signature)
            return true;
    return false;
}

void explorer_drop_known(struct explorer *self) {
    struct run *run = &self->explored;
    uint32_t kept = 0, own = 0;
    for (uint32_t i = 0; i < run->candidate_count; i++) {
        if (explorer_is_known(self, &run->candidates[i]))
            continue;
        run->candidates[kept++] = run->candidates[i];
        if (i + 1 == run->own_finding)
            own = kept;
    }
    run->candidate_count = kept;
    run->own_finding = own;
}

void explorer_diverged(struct explorer *self, int64_t at, const struct execution *a) {
    struct session *session = self->session;
    if (at >= 0 && at < a->event_count)
        session->result.difference.pc = a->events[at].op.pc;
    snprintf(session->result.difference.text, sizeof session->result.difference.text,
             "the same decisions gave another execution, at event %lld", (long long)at + 1);
}

static const struct finding *find_same(const struct run *run, const struct finding *finding) {
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (finding_signature(&run->candidates[i]) == finding_signature(finding))
            return &run->candidates[i];
    return NULL;
}

static void publish(struct explorer *self, const struct finding *finding) {
    struct session *session = self->session;
    if (self->seen_count < SEEN_MAX)
        self->seen[self->seen_count++] = finding_signature(finding);
    if (session->result.found.count == FOUND_MAX) {
        session->result.found.lost = true;
        return;
    }
    struct session_finding *entry = pool_alloc(session->pool, sizeof *entry);
    entry->finding = *finding;
    execution_init(&entry->execution, session->pool);
    execution_copy(&entry->execution, &self->repeated.execution);
    entry->unfinished = self->replay_options.replay_stops;
    entry->at_execution = session->result.counters.executions;
    entry->delays = self->report.delays;
    if (session->result.reached.members.count > 0) {
        entry->member = self->lane + 1;
        session->result.reached.members.rows[self->lane].findings++;
    }
    found_append(&session->result.found, entry);
}

/* Returns a candidate as the repetition shows it. The strategy's own finding follows from the
 * events, which are the same. */
static const struct finding *found_again(const struct explorer *self, uint32_t candidate) {
    const struct run *run = &self->explored;
    return candidate + 1 == run->own_finding
               ? &run->candidates[candidate]
               : find_same(&self->repeated, &run->candidates[candidate]);
}

void explorer_finish_confirming(struct explorer *self) {
    struct session *session = self->session;
    const struct execution *original = &self->explored.execution;
    heap_blocks_keep_used(&self->repeated.execution, self->repeated.candidates,
                          self->repeated.candidate_count);
    int64_t difference = execution_difference(original, &self->repeated.execution);
    for (uint32_t i = 0; difference < 0 && i < self->explored.candidate_count; i++) {
        const struct finding *again = found_again(self, i);
        if (again == NULL)
            difference = original->event_count;
        else
            publish(self, again);
    }
    if (difference >= 0) {
        explorer_diverged(self, difference, original);
        tree_retract(session->result.records.tree);
    }
    bool go_on = difference < 0 && session->request.options.keep_going;
    session->live.phase = go_on ? PHASE_BETWEEN : PHASE_DONE;
}

/* Repeats an execution by recorded decisions, with stacks. */
static enum outcome repeat(struct explorer *self) {
    struct plan plan = {0};
    CHECK(self->replay->ops->begin(self->replay, &plan));
    plan.evidence = true;
    return explorer_run(self, &self->repeated, self->replay, &plan);
}

void explorer_confirm(struct explorer *self) {
    if (repeat(self) == OUTCOME_ERROR)
        self->session->live.phase = PHASE_DONE;
    else
        explorer_finish_confirming(self);
}

void explorer_publish_repeated(struct explorer *self) {
    heap_blocks_keep_used(&self->repeated.execution, self->repeated.candidates,
                          self->repeated.candidate_count);
    for (uint32_t i = 0; i < self->repeated.candidate_count; i++)
        publish(self, &self->repeated.candidates[i]);
}

void explorer_replay(struct explorer *self) {
    struct session *session = self->session;
    session->live.phase = PHASE_CONFIRMING;
    repeat(self);
    int64_t difference = execution_difference(&session->request.replay, &self->repeated.execution);
    if (difference >= 0)
        explorer_diverged(self, difference, &self->repeated.execution);
    explorer_publish_repeated(self);
    session->result.counters.executions++;
    session->live.phase = PHASE_DONE;
}
