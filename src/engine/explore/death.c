/* death.c - if the process ends within an execution, that is a crash. It is a finding of this
 * execution, and is confirmed like any other. The next process, or the supervisor, calls
 * explorer_died(). */
#include <stdio.h>

#include "engine/explore/explorer.h"

/* If a process does not react to the step signal, the supervisor kills it. That is a divergence,
 * too. */
static void describe_death(const struct session *session, int signal, struct finding *death) {
    if (signal == SESSION_STEP_SIGNAL) {
        death->kind = FINDING_DIVERGENCE;
        death->place_varies = true;
        death->task = session->live.process.running;
        snprintf(death->text, sizeof death->text, "no operation within %u ms",
                 session->request.options.step_timeout_ms);
    } else if (session->live.death.inside) {
        snprintf(death->text, sizeof death->text,
                 "signal %d inside Heddle's runtime: the program wrote over its memory, or this is "
                 "a bug of Heddle",
                 signal);
    } else if (signal != 0) {
        snprintf(death->text, sizeof death->text, "the process was killed by signal %d", signal);
    } else {
        snprintf(death->text, sizeof death->text,
                 "the process ended in a way that cannot be controlled");
    }
}

static void add_death(struct explorer *self, int signal) {
    struct run *run = self->run;
    const struct execution *execution = &run->execution;
    struct finding death = {.kind = FINDING_CRASH, .early = true, .stack_count = 1};
    if (execution->event_count > 0) {
        const struct event *last = &execution->events[execution->event_count - 1];
        death.task = last->task;
        death.stacks[0] = (struct finding_stack){
            .title = "last operation", .task = last->task, .stack = last->stack, .pc = last->op.pc};
    }
    describe_death(self->session, signal, &death);
    self->session->live.death.inside = false;
    self->host.ops->found(&self->host, &death);
}

/* Returns true if a finding of this execution explains why the process ended. A data race does
 * not. */
static bool has_ended(const struct run *run) {
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (!finding_info(run->candidates[i].kind)->goes_on)
            return true;
    return false;
}

void explorer_died(struct explorer *self, int signal) {
    if (self->session->live.phase != PHASE_EXPLORING &&
        self->session->live.phase != PHASE_CONFIRMING)
        return;
    if (!has_ended(self->run))
        add_death(self, signal);
    if (self->session->request.options.mode == MODE_REPLAY) {
        explorer_publish_repeated(self);
        self->session->live.phase = PHASE_DONE;
    } else if (self->session->request.options.mode == MODE_SIMULATE) {
        explorer_finish_simulation(self, OUTCOME_FAILED, NULL);
    } else if (self->session->live.phase == PHASE_EXPLORING) {
        explorer_finish_search(self, OUTCOME_FAILED, NULL);
    } else {
        explorer_finish_confirming(self);
    }
}
