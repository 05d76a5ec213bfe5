/* confirm.c - only what comes again is a finding.
 *
 * The execution in which something was found is repeated by its decisions, with stacks. If its events are
 * the same ones and the same is found, that is published; else the program has nondeterminism that is not
 * controlled. A recorded execution (MODE_REPLAY) is repeated in the same way. */
#include <stdio.h>

#include "base/check.h"
#include "engine/explore/explorer.h"

bool explorer_is_known(const struct explorer *self, const struct finding *finding) {
    uint64_t signature = finding_signature(finding);
    for (uint32_t i = 0; i < self->seen_count; i++)
        if (self->seen[i] == signature)
            return true;
    return false;
}

void explorer_drop_known(struct explorer *self) {
    struct run *run = &self->explored;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (!explorer_is_known(self, &run->candidates[i]))
            run->candidates[kept++] = run->candidates[i];
    run->candidate_count = kept;
}

void explorer_diverged(struct explorer *self, int64_t at, const struct execution *a) {
    struct session *session = self->session;
    if (at >= 0 && at < a->event_count)
        session->difference_pc = a->events[at].op.pc;
    snprintf(session->difference, sizeof session->difference,
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
    if (session->finding_count == SESSION_FINDINGS) {
        session->findings_lost = true;
        return;
    }
    struct session_finding *entry = pool_alloc(session->pool, sizeof *entry);
    entry->finding = *finding;
    execution_init(&entry->execution, session->pool);
    execution_copy(&entry->execution, &self->repeated.execution);
    entry->unfinished = self->replay_options.replay_stops;
    entry->at_execution = session->counters.executions;
    entry->delays = self->search->delays;
    if (session->members.count > 0) {
        entry->member = self->lane + 1;
        session->members.rows[self->lane].findings++;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the supervisor reads while we run */
    if (session->findings_tail != NULL)
        session->findings_tail->next = entry;
    else
        session->findings = entry;
    session->findings_tail = entry;
    session->finding_count++;
}

void explorer_finish_confirming(struct explorer *self) {
    struct session *session = self->session;
    const struct execution *original = &self->explored.execution;
    heap_blocks_keep_used(&self->repeated.execution, self->repeated.candidates,
                          self->repeated.candidate_count);
    int64_t difference = execution_difference(original, &self->repeated.execution);
    for (uint32_t i = 0; difference < 0 && i < self->explored.candidate_count; i++) {
        const struct finding *again = find_same(&self->repeated, &self->explored.candidates[i]);
        if (again == NULL)
            difference = original->event_count;
        else
            publish(self, again);
    }
    if (difference >= 0) {
        explorer_diverged(self, difference, original);
        tree_retract(session->tree);
    }
    bool go_on = difference < 0 && session->options.keep_going;
    session->phase = go_on ? PHASE_BETWEEN : PHASE_DONE;
}

void explorer_confirm(struct explorer *self) {
    CHECK(self->replay->ops->begin(self->replay));
    if (explorer_run(self, &self->repeated, self->replay, true) == OUTCOME_ERROR)
        self->session->phase = PHASE_DONE;
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
    session->phase = PHASE_CONFIRMING;
    CHECK(self->replay->ops->begin(self->replay));
    explorer_run(self, &self->repeated, self->replay, true);
    int64_t difference = execution_difference(&session->replay, &self->repeated.execution);
    if (difference >= 0)
        explorer_diverged(self, difference, &self->repeated.execution);
    explorer_publish_repeated(self);
    session->counters.executions++;
    session->phase = PHASE_DONE;
}
