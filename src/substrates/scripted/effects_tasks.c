/* effects_tasks.c - the effects of scripted operations on memory and tasks. */
#include "event/event.h"
#include "substrates/scripted/effects.h"

/* --- memory --------------------------------------------------------------------------------- */

void effect_access(struct act *act) {
    uint64_t old = script_load(act->state, act->now);
    uint64_t value = (uint64_t)act->now->value;
    enum op_act how = op_info(act->event->op.kind)->act;
    if (how == ACT_WRITE) {
        act->event->result = old;
        script_store(act->state, act->now, value);
        return;
    }
    if (how == ACT_MODIFY)
        script_store(act->state, act->now, old + value);
    if (how == ACT_EXCHANGE && old == value)
        script_store(act->state, act->now, (uint64_t)act->now->value2);
    else if (how == ACT_EXCHANGE)
        act->event->flags |= EVENT_FAILED;
    result(act, old);
}

void effect_await(struct act *act) {
    uint64_t value = script_load(act->state, act->now);
    bool there = value == (uint64_t)act->now->value;
    act->event->result = value;
    act->own->phase = there ? PHASE_FIRST : PHASE_PARKED;
    act->own->seen = there ? 0 : value;
    if (there)
        script_got(act->system, act->task, value);
}

/* --- tasks ---------------------------------------------------------------------------------- */

void effect_create(struct act *act) {
    struct script_task_state *child = &act->state->tasks[act->object];
    bool absent = child->status == TASK_ABSENT;
    if (absent)
        child->status = TASK_LIVE;
    act->event->child = act->object;
    succeed(act, absent);
}

void effect_choose(struct act *act) {
    struct host *host = act->system->host;
    uint32_t count = (uint32_t)act->now->value;
    result(act, count > 1 ? host->ops->choose(host, CHOICE_VALUE, act->task, count) : 0);
}

void effect_exit(struct act *act) {
    act->state->outcome = OUTCOME_ENDED;
    act->own->status = TASK_OVER;
}

/* A task whose end is a step of its own goes there: operation_perform() steps to the next
 * instruction. */
void effect_cancel_point(struct act *act) {
    const struct script_task *script = &act->system->script->tasks[act->task];
    if (act->own->cancelled && script_ends_by_step(script))
        act->own->at = script->length - 2;
    else if (act->own->cancelled)
        act->own->status = TASK_OVER;
}

void effect_join(struct act *act) {
    if (!is_over(act->state, act->object))
        time_out(act);
    else
        succeed(act, !act->state->tasks[act->object].detached);
}

void effect_tryjoin(struct act *act) {
    succeed(act, is_over(act->state, act->object));
}

void effect_kill(struct act *act) {
    result(act, is_over(act->state, act->object));
}

void effect_end(struct act *act) {
    act->own->status = TASK_OVER;
}

void effect_detach(struct act *act) {
    act->state->tasks[act->object].detached = true;
}

void effect_cancel(struct act *act) {
    act->state->tasks[act->object].cancelled = true;
}

void effect_section(struct act *act) {
    act->own->in_section = true;
}

void effect_nothing(struct act *act) {
    (void)act;
}
