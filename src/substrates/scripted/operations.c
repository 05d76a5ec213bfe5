/* operations.c - the operations of scripted tasks: what each is called, when it is enabled, and who
 * blocks it. What it does stands in effects.c. The switches go over the instruction, since that is what
 * a script holds. */
#include "substrates/scripted/operations.h"

#include <string.h>

#include "base/check.h"

/* --- names ---------------------------------------------------------------------------------- */

static const struct script_task_state *state_of(const struct scripted *system, uint32_t task) {
    return &system->state.tasks[task];
}

uint64_t script_pc(const struct scripted *system, uint32_t task) {
    const struct script_task_state *state = state_of(system, task);
    bool same = state->phase == PHASE_PARKED || state->phase == PHASE_FAILED; /* as it came there */
    uint32_t phase = same ? PHASE_FIRST : state->phase;
    return 0x400000 + task * 0x1000 + state->at * 16 + phase + 1;
}

bool is_memory(const struct script_instruction *now) {
    return now->code == SCRIPT_READ || now->code == SCRIPT_WRITE || now->code == SCRIPT_AWAIT ||
           (now->code < OP_KINDS && op_info(now->code)->class == CLASS_MEMORY);
}

/* Every object has an address of its own: variables from 0x10000 on, the others by their family. */
uint64_t script_address(const struct script_instruction *now) {
    static const uint8_t families[][2] = {
        {OP_LOCK, OP_ABANDON},
        {OP_COND_WAIT, OP_COND_BROADCAST},
        {OP_READ_LOCK, OP_RW_UNLOCK},
        {OP_SPIN_LOCK, OP_SPIN_UNLOCK},
        {OP_BARRIER_ARRIVE, OP_BARRIER_LEAVE},
        {OP_SEM_WAIT, OP_SEM_GETVALUE},
        {OP_ONCE_ENTER, OP_ONCE_LEAVE},
        {OP_SEND, OP_TRY_RECEIVE},
        {OP_ANNOTATE_RELEASE, OP_ANNOTATE_ACQUIRE},
    };
    if (is_memory(now))
        return 0x10000 + now->object * 8u + now->offset;
    for (uint32_t i = 0; i < sizeof families / sizeof *families; i++)
        if (now->code >= families[i][0] && now->code <= families[i][1])
            return 0x20000 + i * 0x1000 + now->object * 64u;
    return 0;
}

static uint64_t mutex_address(uint32_t mutex) {
    return script_address(&(struct script_instruction){.code = OP_LOCK, .object = (uint8_t)mutex});
}

/* Later operations of an instruction that has several. */
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
    if (op.kind <= OP_FENCE) /* atomics come first */
        op.order = now->order;
    if (now->code == OP_COND_WAIT)
        op.object2 = mutex_address(now->object2);
    if (op.kind == OP_CAS)
        op.target = now->failure;
    if (op_info(op.kind)->class == CLASS_TASK || op.kind == OP_CANCEL)
        op.target = op.kind == OP_END ? task : now->object;
    if (op.kind == OP_ATOMIC)
        op.value = 0;
    if (op_receives(op.kind))
        op.value = (uint64_t)now->value2;
    if (op.kind == OP_BARRIER_LEAVE)
        op.value = state_of(system, task)->round;
    return op;
}

/* --- memory and register -------------------------------------------------------------------- */

void script_got(struct scripted *system, uint32_t task, uint64_t value) {
    struct script_task_state *state = &system->state.tasks[task];
    state->value = value;
    state->history = (state->history ^ (value + 1)) * 0x9e3779b97f4a7c15u;
    state->history ^= state->history >> 31;
}

uint64_t script_load(const struct scripted *system, const struct script_instruction *now) {
    uint64_t value = 0;
    memcpy(&value, system->state.memory + now->object * 8 + now->offset, now->size ? now->size : 8);
    return value;
}

void script_store(struct scripted *system, const struct script_instruction *now, uint64_t value) {
    memcpy(system->state.memory + now->object * 8 + now->offset, &value, now->size ? now->size : 8);
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

/* --- enabledness ---------------------------------------------------------------------------- */

bool operation_enabled(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    const struct script_state *state = &system->state;
    const struct script_task_state *own = state_of(system, task);
    uint32_t object = now->object;
    switch (own->phase) {
    case PHASE_ASLEEP: return now->timed;
    case PHASE_WOKEN: return state->mutexes[now->object2] == 0;
    case PHASE_AT_BARRIER: return state->rounds[object] != own->round;
    case PHASE_PARKED: return script_load(system, now) != own->seen;
    case PHASE_FAILED:
    case PHASE_IN_ONCE: return true;
    case PHASE_STOPPED: return false;
    default: break;
    }
    switch (now->code) {
    case OP_LOCK: return state->mutexes[object] == 0 || now->timed;
    case OP_SPIN_LOCK: return state->spinlocks[object] == 0;
    case OP_READ_LOCK: return state->writers[object] == 0;
    case OP_WRITE_LOCK: return state->writers[object] == 0 && state->readers[object] == 0;
    case OP_SEM_WAIT: return state->semaphores[object] > 0 || now->timed;
    case OP_ONCE_ENTER: return state->onces[object] == 0 || state->onces[object] == ONCE_DONE;
    case OP_JOIN: return is_over(system, object) || now->timed;
    case OP_RECEIVE:
        return script_first_match(&state->mailboxes[object], now) < state->mailboxes[object].count;
    default: return true;
    }
}

static uint32_t holder_of(uint32_t holder_plus_one) {
    return holder_plus_one ? holder_plus_one - 1 : NO_TASK;
}

/* The n-th reader. */
static uint32_t reader_of(uint32_t readers, uint32_t nth) {
    for (; nth > 0 && readers != 0; nth--)
        readers &= readers - 1;
    return readers != 0 ? (uint32_t)__builtin_ctz(readers) : NO_TASK;
}

uint32_t operation_holder(const struct scripted *system, uint32_t task, uint32_t nth) {
    const struct script_instruction *now = instruction_at(system, task);
    const struct script_state *state = &system->state;
    if (now->code == OP_WRITE_LOCK && state->readers[now->object] != 0)
        return reader_of(state->readers[now->object], nth);
    if (nth > 0)
        return NO_TASK;
    if (state_of(system, task)->phase == PHASE_WOKEN)
        return holder_of(state->mutexes[now->object2]);
    switch (now->code) {
    case OP_LOCK: return holder_of(state->mutexes[now->object]);
    case OP_SPIN_LOCK: return holder_of(state->spinlocks[now->object]);
    case OP_READ_LOCK: return holder_of(state->writers[now->object]);
    case OP_WRITE_LOCK: return holder_of(state->writers[now->object]);
    case OP_JOIN: return now->object;
    default: return NO_TASK;
    }
}
