/* decide.c - who moves next, and what comes of a choice within a step.
 *
 * The strategy is asked, but for decisions that it has made already: those before a restart (redo), and
 * those that the engine repeats for a strategy that remembers states (repeated_to). */
#include <stdio.h>

#include "engine/explore/explorer.h"

/* The option that was chosen; at least choice->count if there is none. */
static uint32_t option_of(const struct choice *choice, uint32_t chosen) {
    if (choice->tag != CHOICE_SCHEDULE)
        return chosen;
    uint32_t index = 0;
    while (index < choice->count && choice->pending[index].task != chosen)
        index++;
    return index;
}

/* As in the execution before, whose decisions still stand there. */
static uint32_t ask_again(struct explorer *self, const struct choice *choice, uint32_t at) {
    const struct decision *decision = &self->run->execution.decisions[at];
    uint32_t option = option_of(choice, decision->chosen);
    if (decision->tag == choice->tag && option < choice->count)
        return option;
    self->strategy->diverged = true;
    return PICK_NOTHING;
}

uint32_t explorer_ask(struct explorer *self, const struct choice *choice) {
    uint32_t at = self->run->execution.decision_count;
    if (__builtin_expect(at < self->redo.decision_count, 0))
        return option_of(choice, self->redo.decisions[at].chosen);
    if (at < self->repeated_to)
        return ask_again(self, choice, at);
    return self->strategy->ops->pick(self->strategy, choice);
}

static void tell_idle(struct explorer *self, struct event *event) {
    event->flags |= EVENT_IDLE;
    for (uint32_t i = 0; i < self->analysis_count; i++)
        if (self->analyses[i]->ops->idle != NULL)
            self->analyses[i]->ops->idle(self->analyses[i], event);
}

/* Where the task that moved last stands if it is blocked; else choice->live. */
static uint32_t moved_and_blocked(const struct choice *choice) {
    uint32_t at = choice->count;
    while (at < choice->live && choice->pending[at].task != choice->task)
        at++;
    return at;
}

/* Did the last step bring its task back to where it stood? */
static void mark_idle(struct explorer *self) {
    const struct choice *choice = &self->choice;
    struct execution *execution = &self->run->execution;
    uint32_t blocked = self->moved_blocked;
    bool idle = blocked < choice->live && choice->pending[blocked].idle;
    for (uint32_t at = execution->event_count; idle && at > 0; at--) {
        struct event *event = &execution->events[at - 1];
        if (event->flags & EVENT_NOTE)
            continue;
        tell_idle(self, event);
        break;
    }
}

void explorer_look(struct explorer *self) {
    self->system->ops->pending(self->system, &self->choice);
    self->moved_blocked = moved_and_blocked(&self->choice);
    mark_idle(self);
}

/* Does an analysis end the execution in the state at hand? */
static bool judged(struct explorer *self) {
    for (uint32_t i = 0; i < self->watcher_count; i++)
        self->watchers[i]->ops->state(self->watchers[i], &self->choice, self->moved_blocked);
    return self->over;
}

#define PICK_FAILED (UINT32_MAX - 4) /* the state cannot be recognised */

static uint32_t pick(struct explorer *self, struct choice *choice) {
    if (!self->remembers)
        return explorer_ask(self, choice);
    if (choice->fingerprint == NULL && !explorer_knows_state(self))
        return PICK_FAILED;
    self->step_from = self->run->execution.decision_count;
    self->strategy->states.keep = self->strategy->states.shelve = false;
    uint32_t picked = explorer_ask(self, choice);
    if (picked < choice->count || self->strategy->states.shelve)
        explorer_keep_state(self);
    return picked;
}

static enum outcome fail(struct explorer *self, enum verdict verdict, const char *text) {
    struct session *session = self->session;
    snprintf(session->error, sizeof session->error, "%s", text);
    session->error_verdict = verdict;
    return OUTCOME_ERROR;
}

static enum outcome fail_without_states(struct explorer *self) {
    char text[sizeof self->session->error];
    snprintf(text, sizeof text,
             "this strategy needs states that can be saved and compared, which this program does "
             "not have: "
             "%s; --strategy=optimal needs none",
             self->session->unsavable[0] ? self->session->unsavable
                                         : "part of them is out of reach");
    return fail(self, VERDICT_UNSUPPORTED, text);
}

/* Why the strategy, or the system, goes no further. */
static enum outcome outcome_of(struct explorer *self, uint32_t picked) {
    if (self->strategy->error[0])
        return fail(self, VERDICT_USAGE, self->strategy->error);
    if (picked == PICK_FAILED && self->strategy->ops->has_members) {
        self->strategy->stateless = true; /* others go on */
        return OUTCOME_BLOCKED;
    }
    if (picked == PICK_FAILED)
        return fail_without_states(self);
    return picked == PICK_SEEN   ? OUTCOME_SEEN
           : picked == PICK_IDLE ? OUTCOME_IDLE
           : picked == PICK_DEEP ? OUTCOME_DEEP
                                 : OUTCOME_BLOCKED;
}

void explorer_record(struct explorer *self, uint32_t chosen, uint32_t count, enum choice_tag tag) {
    struct execution *execution = &self->run->execution;
    execution_decide(execution,
                     (struct decision){.chosen = chosen,
                                       .count = count,
                                       .tag = tag,
                                       .event = execution->skipped + execution->event_count + 1});
}

/* Somebody was told to go no further: that the others wait for him is nobody's fault. */
static bool assumption_fails(const struct choice *choice) {
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (choice->pending[i].op->kind == OP_ASSUME)
            return true;
    return false;
}

uint32_t explorer_decide(struct explorer *self) {
    struct session_counters *counters = &self->session->counters;
    struct choice *choice = &self->choice;
    if (self->outcome != OUTCOME_RUNNING || self->over)
        return NO_TASK;
    const struct fingerprint *fingerprint = self->remembers ? explorer_recognise(self) : NULL;
    explorer_look(self);
    choice->fingerprint = fingerprint;
    if (choice->live > counters->tasks_max)
        counters->tasks_max = choice->live;
    if (choice->count > 1)
        self->branched = true;
    uint32_t picked = PICK_NOTHING;
    if (choice->count == 0)
        self->outcome = assumption_fails(choice) ? OUTCOME_ASSUMED : OUTCOME_STUCK;
    else if (judged(self))
        return NO_TASK;
    else if (self->steps >= self->session->options.max_steps)
        self->outcome = OUTCOME_CUT;
    else if ((picked = pick(self, choice)) >= choice->count)
        self->outcome = outcome_of(self, picked);
    if (self->outcome != OUTCOME_RUNNING)
        return NO_TASK;
    uint32_t task = choice->pending[picked].task;
    explorer_record(self, task, choice->count, CHOICE_SCHEDULE);
    return task;
}
