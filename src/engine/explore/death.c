/* death.c - the process ended within an execution: that is a crash, found there, and is confirmed like
 * anything else. Its successor, or the supervisor, says so. */
#include <stdio.h>

#include "engine/explore/explorer.h"

/* The supervisor killed what did not react to the step signal: a divergence too, by another way. */
static void describe_death(const struct session *session, int signal, struct finding *death) {
    if (signal == SESSION_STEP_SIGNAL) {
        death->kind = FINDING_DIVERGENCE;
        death->place_varies = true;
        death->task = session->running;
        snprintf(death->text, sizeof death->text, "no operation within %u ms",
                 session->options.step_timeout_ms);
    } else if (session->died_inside) {
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
    self->session->died_inside = false;
    self->host.ops->found(&self->host, &death);
}

/* A finding of this execution explains why the process ended. A data race is no such finding. */
static bool has_ended(const struct run *run) {
    for (uint32_t i = 0; i < run->candidate_count; i++)
        if (!finding_info(run->candidates[i].kind)->goes_on)
            return true;
    return false;
}

void explorer_died(struct explorer *self, int signal) {
    if (self->session->phase != PHASE_EXPLORING && self->session->phase != PHASE_CONFIRMING)
        return;
    if (!has_ended(self->run))
        add_death(self, signal);
    if (self->session->options.mode == MODE_REPLAY) {
        explorer_publish_repeated(self);
        self->session->phase = PHASE_DONE;
    } else if (self->session->options.mode == MODE_SIMULATE) {
        explorer_finish_simulation(self, OUTCOME_FAILED, NULL);
    } else if (self->session->phase == PHASE_EXPLORING) {
        explorer_finish_search(self, OUTCOME_FAILED, NULL);
    } else {
        explorer_finish_confirming(self);
    }
}
