/* operations.c - finds the operation before which a scripted task stands, and performs it. The
 * effects are in effects.c. */
#include "substrates/scripted/operations.h"

#include <string.h>

#include "base/check.h"
#include "event/event.h"
#include "substrates/scripted/effects.h"

/* --- names ---------------------------------------------------------------------------------- */

static const struct script_task_state *state_of(const struct scripted *system, uint32_t task) {
    return &system->state.tasks[task];
}

uint64_t script_pc(const struct scripted *system, uint32_t task) {
    const struct script_task_state *state = state_of(system, task);
    /* a parked task stands at the same place as before, and so does a task that has failed */
    bool same = state->phase == PHASE_PARKED || state->phase == PHASE_FAILED;
    uint32_t phase = same ? PHASE_FIRST : state->phase;
    return 0x400000 + task * 0x1000 + state->at * 16 + phase + 1;
}

bool is_memory(const struct script_instruction *now) {
    return now->code == SCRIPT_READ || now->code == SCRIPT_WRITE || now->code == SCRIPT_AWAIT ||
           (now->code < OP_KINDS && op_info(now->code)->class == CLASS_MEMORY);
}

/* Returns the address of the instruction's object, or 0 if there is none. Each object has an
 * address of its own: variables start at 0x10000. Behind 0x20000 each kind of object (enum
 * op_subject) has an area. */
uint64_t script_address(const struct script_instruction *now) {
    if (is_memory(now))
        return 0x10000 + now->object * 8u + now->offset;
    uint8_t kind = now->code == SCRIPT_UNTIL ? now->object2 : now->code;
    enum op_subject about = kind < OP_KINDS ? op_info(kind)->about : ABOUT_NOTHING;
    if (about < ABOUT_MUTEX)
        return 0;
    return 0x20000 + (about - ABOUT_MUTEX) * 0x1000u + now->object * 64u;
}

static uint64_t mutex_address(uint32_t mutex) {
    return script_address(&(struct script_instruction){.code = OP_LOCK, .object = (uint8_t)mutex});
}

/* Returns the kind of the next operation. An instruction can consist of several operations; the
 * phase says which is next. */
static enum op_kind kind_of(const struct script_instruction *now, enum script_phase phase) {
    switch (phase) {
    case PHASE_FIRST:
    case PHASE_PARKED: break;
    case PHASE_ASLEEP: return OP_COND_SLEEP;
    case PHASE_WOKEN: return OP_COND_WAKE;
    case PHASE_AT_BARRIER: return OP_BARRIER_LEAVE;
    case PHASE_IN_ONCE: return OP_ONCE_LEAVE;
    case PHASE_STOPPED: return OP_ASSUME;
    case PHASE_FAILED: return OP_FAIL;
    }
    if (now->code == SCRIPT_UNTIL)
        return now->object2;
    return now->code == SCRIPT_AWAIT ? OP_LOAD : now->code;
}

struct op operation_of(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    struct op op = {
        .kind = kind_of(now, state_of(system, task)->phase),
        .timed = now->timed,
        .object = script_address(now),
        .value = (uint64_t)now->value,
        .pc = script_pc(system, task),
    };
    if (is_memory(now))
        op.size = now->size ? now->size : 8;
    if (op_has_order(op.kind))
        op.order = now->order;
    if (now->code == OP_COND_WAIT)
        op.mutex = mutex_address(now->object2);
    if (op.kind == OP_CAS)
        op.failure_order = now->failure;
    if (op.kind == OP_CREATE || op_has(op.kind, NAMES_TASK))
        op.target = now->object;
    if (op.kind == OP_END)
        op.target = task;
    if (op.kind == OP_ATOMIC)
        op.section_ends = 0;
    if (op_receives(op.kind))
        op.by_predicate = (uint64_t)now->value2;
    if (op.kind == OP_BARRIER_LEAVE)
        op.round = state_of(system, task)->round;
    return op;
}

/* --- memory and register -------------------------------------------------------------------- */

void script_got(struct scripted *system, uint32_t task, uint64_t value) {
    struct script_task_state *state = &system->state.tasks[task];
    state->value = value;
    state->history = (state->history ^ (value + 1)) * 0x9e3779b97f4a7c15u;
    state->history ^= state->history >> 31;
}

uint64_t script_load(const struct script_state *state, const struct script_instruction *now) {
    uint64_t value = 0;
    memcpy(&value, state->memory + now->object * 8 + now->offset, now->size ? now->size : 8);
    return value;
}

void script_store(struct script_state *state, const struct script_instruction *now,
                  uint64_t value) {
    memcpy(state->memory + now->object * 8 + now->offset, &value, now->size ? now->size : 8);
}

bool script_matches(const struct script_instruction *receive, uint64_t message) {
    return receive->value2 == 0 || (uint64_t)receive->value2 == message;
}

uint32_t script_first_match(const struct script_mailbox *box,
                            const struct script_instruction *receive) {
    uint32_t at = 0;
    while (at < box->count && !script_matches(receive, box->values[at]))
        at++;
    return at;
}

/* --- enabled, performed --------------------------------------------------------------------- */

static const struct script_effect *effect_of(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    enum script_phase phase = state_of(system, task)->phase;
    bool has_own = now->code == SCRIPT_AWAIT || now->code == SCRIPT_UNTIL;
    bool own = has_own && (phase == PHASE_FIRST || phase == PHASE_PARKED);
    return &script_effects[own ? now->code : kind_of(now, phase)];
}

bool operation_enabled(const struct scripted *system, uint32_t task) {
    const struct script_effect *effect = effect_of(system, task);
    return effect->enabled == NULL ||
           effect->enabled(&system->state, instruction_at(system, task), state_of(system, task));
}

uint32_t operation_holder(const struct scripted *system, uint32_t task, uint32_t nth) {
    const struct script_effect *effect = effect_of(system, task);
    return effect->holder == NULL
               ? NO_TASK
               : effect->holder(&system->state, instruction_at(system, task), nth);
}

void operation_perform(struct scripted *system, uint32_t task, uint32_t flags) {
    const struct script_instruction *now = instruction_at(system, task);
    struct script_task_state *own = &system->state.tasks[task];
    struct op op = operation_of(system, task);
    struct host *host = system->host;
    struct act act = {system, &system->state, own, now, NULL, task, now->object};
    const struct script_effect *effect = effect_of(system, task);
    CHECK(effect->perform != NULL && operation_enabled(system, task));
    act.event = host->ops->event(host, task, &op);
    act.event->flags |= flags;
    effect->perform(&act);
    if (own->phase == PHASE_FIRST)
        own->at++;
    host->ops->happened(host, act.event);
}
