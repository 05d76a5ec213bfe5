/* decide.c - the decision at a choice: which task moves next.
 *
 * The strategy is asked, except for decisions that it has made already: those before a restart
 * (redo), and those that the engine repeats for a strategy that goes by states (repeated_to). */
#include <stdio.h>

#include "engine/explore/explorer.h"

/* Repeats the decision of the execution before, whose decisions are still in the array. */
static uint32_t ask_again(struct explorer *self, const struct choice *choice, uint32_t at) {
    uint32_t option = choice_option(choice, &self->run->execution.decisions[at]);
    return option < choice->count ? option : PICK_DIVERGED;
}

uint32_t explorer_ask(struct explorer *self, const struct choice *choice, struct keep *keep) {
    uint32_t at = self->run->execution.decision_count;
    if (__builtin_expect(at < self->redo.decision_count, 0))
        return choice_of_chosen(choice, self->redo.decisions[at].chosen);
    if (at < self->repeated_to)
        return ask_again(self, choice, at);
    return self->strategy->ops->pick(self->strategy, choice, keep);
}

static void tell_idle(struct explorer *self, struct event *event) {
    event->flags |= EVENT_IDLE;
    for (uint32_t i = 0; i < self->analysis_count; i++)
        if (self->analyses[i]->ops->idle != NULL)
            self->analyses[i]->ops->idle(self->analyses[i], event);
}

/* Returns the index of the task that moved last in choice->pending if it is blocked; else
 * choice->live. */
static uint32_t moved_and_blocked(const struct choice *choice) {
    uint32_t at = choice->count;
    while (at < choice->live && choice->pending[at].task != choice->task)
        at++;
    return at;
}

/* Marks the last event as idle if its step brought the task back to where it stood. */
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

/* Shows the state at hand to the analyses. Returns true if one of them ends the execution. */
static bool judged(struct explorer *self) {
    for (uint32_t i = 0; i < self->watcher_count; i++)
        self->watchers[i]->ops->state(self->watchers[i], &self->choice, self->moved_blocked);
    return self->over;
}

/* Nobody makes these transitions, and they count like the others. */
static void count_foreseen(struct explorer *self, uint32_t foreseen) {
    struct session *session = self->session;
    session->result.counters.transitions += foreseen;
    session->live.heartbeat += foreseen;
}

static uint32_t pick(struct explorer *self, struct choice *choice) {
    struct keep keep = {0};
    if (!self->plan.by_states)
        return explorer_ask(self, choice, &keep);
    if (choice->fingerprint == NULL && !explorer_knows_state(self))
        return PICK_STATELESS;
    self->step_from = self->run->execution.decision_count;
    uint32_t picked = explorer_ask(self, choice, &keep);
    count_foreseen(self, keep.foreseen);
    if (picked < choice->count || keep.shelved || keep.stays)
        explorer_keep_state(self, &keep);
    return picked;
}

static enum outcome fail(struct explorer *self, enum verdict verdict, const char *text) {
    struct session *session = self->session;
    snprintf(session->result.failure.text, sizeof session->result.failure.text, "%s", text);
    session->result.failure.verdict = verdict;
    return OUTCOME_ERROR;
}

static enum outcome fail_without_states(struct explorer *self) {
    char text[sizeof self->session->result.failure.text];
    self->session->result.search.stateless = true;
    snprintf(text, sizeof text,
             "this strategy needs states that can be saved and compared, which this program does "
             "not have: "
             "%s; --strategy=optimal needs none",
             self->session->live.states.unsavable[0] ? self->session->live.states.unsavable
                                                     : "part of them is out of reach");
    return fail(self, VERDICT_UNSUPPORTED, text);
}

static enum outcome give_up_states(struct explorer *self) {
    self->inputs.stateless = true;
    /* the other members go on */
    return strategy_has(self->strategy->info, HAS_MEMBERS) ? OUTCOME_BLOCKED
                                                           : fail_without_states(self);
}

/* Returns why the strategy, or the system, goes no further. */
static enum outcome outcome_of(struct explorer *self, uint32_t picked) {
    switch (picked) {
    case PICK_SEEN: return OUTCOME_SEEN;
    case PICK_IDLE: return OUTCOME_IDLE;
    case PICK_DEEP: return OUTCOME_DEEP;
    case PICK_DIVERGED: self->diverged = true; return OUTCOME_BLOCKED;
    case PICK_MISTAKEN: return fail(self, VERDICT_USAGE, self->strategy->mistake);
    case PICK_STATELESS: return give_up_states(self);
    default: return OUTCOME_BLOCKED; /* PICK_NOTHING, and any number that is not an option */
    }
}

void explorer_record(struct explorer *self, uint32_t chosen, uint32_t count, enum choice_tag tag) {
    struct execution *execution = &self->run->execution;
    execution_decide(execution,
                     (struct decision){.chosen = chosen,
                                       .count = count,
                                       .tag = tag,
                                       .event = execution->skipped + execution->event_count + 1});
}

/* Returns true if a task stopped at a false assumption. It is not a deadlock then that other tasks
 * wait for that one. */
static bool assumption_fails(const struct choice *choice) {
    for (uint32_t i = choice->count; i < choice->live; i++)
        if (choice->pending[i].op->kind == OP_ASSUME)
            return true;
    return false;
}

uint32_t explorer_decide(struct explorer *self) {
    struct counters *counters = &self->session->result.counters;
    struct choice *choice = &self->choice;
    if (self->outcome != OUTCOME_RUNNING || self->over)
        return NO_TASK;
    const struct fingerprint *fingerprint = self->plan.by_states ? explorer_recognise(self) : NULL;
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
    else if (self->steps >= self->session->request.options.max_steps)
        self->outcome = OUTCOME_CUT;
    else if ((picked = pick(self, choice)) >= choice->count)
        self->outcome = outcome_of(self, picked);
    if (self->outcome != OUTCOME_RUNNING)
        return NO_TASK;
    uint32_t task = choice->pending[picked].task;
    explorer_record(self, task, choice->count, CHOICE_SCHEDULE);
    return task;
}
