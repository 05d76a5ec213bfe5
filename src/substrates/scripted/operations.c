/* operations.c - the operations of scripted tasks: what each is called, when it is enabled, who blocks
 * it, and what it does. The switches go over the instruction, since that is what a script holds. */
#include "substrates/scripted/operations.h"

#include <string.h>

#include "base/check.h"

/* --- names ---------------------------------------------------------------------------------- */

static const struct script_task_state *state_of(const struct scripted *system, uint32_t task) {
    return &system->state.tasks[task];
}

uint64_t script_pc(const struct scripted *system, uint32_t task) {
    const struct script_task_state *state = state_of(system, task);
    return 0x400000 + task * 0x1000 + state->at * 16 + state->phase + 1;
}

static bool is_memory(const struct script_instruction *now) {
    return now->code == SCRIPT_READ || now->code == SCRIPT_WRITE || now->code == SCRIPT_AWAIT ||
           (now->code < OP_KINDS && op_info(now->code)->class == CLASS_MEMORY);
}

/* Every object has an address of its own: variables from 0x10000 on, the others by their family. */
uint64_t script_address(const struct script_instruction *now) {
    static const uint8_t families[][2] = {
        {OP_LOCK, OP_UNLOCK},
        {OP_COND_WAIT, OP_COND_BROADCAST},
        {OP_READ_LOCK, OP_RW_UNLOCK},
        {OP_SPIN_LOCK, OP_SPIN_UNLOCK},
        {OP_BARRIER_ARRIVE, OP_BARRIER_LEAVE},
        {OP_SEM_WAIT, OP_SEM_GETVALUE},
        {OP_ONCE_ENTER, OP_ONCE_LEAVE},
        {OP_SEND, OP_TRY_RECEIVE},
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
    case PHASE_FIRST: break;
    case PHASE_ASLEEP: return OP_COND_SLEEP;
    case PHASE_WOKEN: return OP_COND_WAKE;
    case PHASE_AT_BARRIER: return OP_BARRIER_LEAVE;
    case PHASE_IN_ONCE: return OP_ONCE_LEAVE;
    }
    return now->code == SCRIPT_AWAIT ? OP_LOAD : now->code;
}

struct op operation_of(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    struct op op = {
        .kind = kind_of(now, state_of(system, task)->phase),
        .order = now->order,
        .timed = now->timed,
        .object = script_address(now),
        .value = (uint64_t)now->value,
        .pc = script_pc(system, task),
    };
    if (is_memory(now))
        op.size = now->size ? now->size : 8;
    if (now->code == OP_COND_WAIT)
        op.object2 = mutex_address(now->object2);
    if (op.kind == OP_CAS)
        op.target = now->failure;
    if (op_info(op.kind)->class == CLASS_TASK || op.kind == OP_TRYJOIN || op.kind == OP_CANCEL)
        op.target = now->object;
    if (op.kind == OP_ATOMIC)
        op.value = 0;
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

/* --- enabledness ---------------------------------------------------------------------------- */

static bool is_over(const struct scripted *system, uint32_t task) {
    return state_of(system, task)->status == TASK_OVER;
}

bool operation_enabled(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    const struct script_state *state = &system->state;
    const struct script_task_state *own = state_of(system, task);
    uint32_t object = now->object;
    switch (own->phase) {
    case PHASE_ASLEEP: return now->timed;
    case PHASE_WOKEN: return state->mutexes[now->object2] == 0;
    case PHASE_AT_BARRIER: return state->rounds[object] != own->round;
    default: break;
    }
    switch (now->code) {
    case OP_LOCK: return state->mutexes[object] == 0 || now->timed;
    case OP_SPIN_LOCK: return state->spinlocks[object] == 0;
    case OP_READ_LOCK: return state->writers[object] == 0;
    case OP_WRITE_LOCK: return state->writers[object] == 0 && state->readers[object] == 0;
    case OP_SEM_WAIT: return state->semaphores[object] > 0 || now->timed;
    case OP_ONCE_ENTER: return state->onces[object] == 0 || state->onces[object] == ONCE_DONE;
    case OP_JOIN: return is_over(system, object);
    case OP_RECEIVE: return state->mailboxes[object].sent > state->mailboxes[object].received;
    case SCRIPT_AWAIT: return script_load(system, now) == (uint64_t)now->value;
    default: return true;
    }
}

static uint32_t holder_of(uint32_t holder_plus_one) {
    return holder_plus_one ? holder_plus_one - 1 : NO_TASK;
}

uint32_t operation_holder(const struct scripted *system, uint32_t task) {
    const struct script_instruction *now = instruction_at(system, task);
    const struct script_state *state = &system->state;
    if (state_of(system, task)->phase == PHASE_WOKEN)
        return holder_of(state->mutexes[now->object2]);
    switch (now->code) {
    case OP_LOCK: return holder_of(state->mutexes[now->object]);
    case OP_SPIN_LOCK: return holder_of(state->spinlocks[now->object]);
    case OP_READ_LOCK: return holder_of(state->writers[now->object]);
    case OP_WRITE_LOCK:
        if (state->readers[now->object])
            return (uint32_t)__builtin_ctz(state->readers[now->object]);
        return holder_of(state->writers[now->object]);
    case OP_JOIN: return now->object;
    default: return NO_TASK;
    }
}

/* --- effects -------------------------------------------------------------------------------- */

/* One operation being performed. */
struct act {
    struct scripted *system;
    struct script_state *state;
    struct script_task_state *own;
    const struct script_instruction *now;
    struct event *event;
    uint32_t task;
    uint32_t object;
};

static void result(struct act *act, uint64_t value) {
    act->event->result = value;
    script_got(act->system, act->task, value);
}

/* Try-operations and wrong uses: the register says 0, with success 1. */
static void succeed(struct act *act, bool success) {
    if (!success)
        act->event->flags |= EVENT_FAILED;
    script_got(act->system, act->task, success);
}

static void time_out(struct act *act) {
    act->event->flags |= EVENT_TIMED_OUT;
    script_got(act->system, act->task, 2);
}

static void memory_access(struct act *act) {
    uint64_t old = script_load(act->system, act->now);
    uint64_t value = (uint64_t)act->now->value;
    switch (act->now->code) {
    case OP_STORE:
    case OP_VOLATILE_WRITE:
    case OP_PLAIN_WRITE: script_store(act->system, act->now, value); return;
    case OP_RMW: script_store(act->system, act->now, old + value); break;
    case OP_CAS:
        if (old == value)
            script_store(act->system, act->now, (uint64_t)act->now->value2);
        else
            act->event->flags |= EVENT_FAILED;
        break;
    default: break;
    }
    result(act, old);
}

static void take(struct act *act, uint32_t *holder) {
    if (*holder == 0) {
        *holder = act->task + 1;
        succeed(act, true);
    } else if (act->now->timed)
        time_out(act);
    else
        succeed(act, false);
}

static void give_back(struct act *act, uint32_t *holder) {
    bool held = *holder == act->task + 1;
    if (held)
        *holder = 0;
    succeed(act, held);
}

static void read_lock(struct act *act) {
    bool free = act->state->writers[act->object] == 0;
    if (free)
        act->state->readers[act->object] |= 1u << act->task;
    succeed(act, free);
}

static void write_lock(struct act *act) {
    bool free = act->state->writers[act->object] == 0 && act->state->readers[act->object] == 0;
    if (free)
        act->state->writers[act->object] = act->task + 1;
    succeed(act, free);
}

static void rw_unlock(struct act *act) {
    uint32_t *readers = &act->state->readers[act->object], bit = 1u << act->task;
    if (!(*readers & bit)) {
        give_back(act, &act->state->writers[act->object]);
        return;
    }
    *readers &= ~bit;
    succeed(act, true);
}

static void cond_wait(struct act *act) {
    uint32_t *mutex = &act->state->mutexes[act->now->object2];
    bool held = *mutex == act->task + 1;
    succeed(act, held);
    if (!held)
        return;
    *mutex = 0;
    act->state->sleepers[act->object] |= 1u << act->task;
    act->own->phase = PHASE_ASLEEP;
    act->own->timed_out = false;
}

static void wake(struct act *act, uint32_t task) {
    act->state->sleepers[act->object] &= ~(1u << task);
    act->state->tasks[task].phase = PHASE_WOKEN;
}

static void cond_sleep(struct act *act) {
    wake(act, act->task);
    act->own->timed_out = true;
    act->event->flags |= EVENT_TIMED_OUT;
}

static void cond_wake(struct act *act) {
    act->state->mutexes[act->now->object2] = act->task + 1;
    act->own->phase = PHASE_FIRST;
    if (act->own->timed_out)
        time_out(act);
    else
        succeed(act, true);
    act->own->timed_out = false;
}

/* Any sleeper may be the one. */
static void cond_signal(struct act *act) {
    uint32_t sleepers = act->state->sleepers[act->object];
    uint32_t count = (uint32_t)__builtin_popcount(sleepers), chosen = 0;
    struct host *host = act->system->host;
    if (count == 0)
        return;
    if (count > 1)
        chosen = host->ops->choose(host, CHOICE_WAKE, act->task, count);
    while (chosen-- > 0)
        sleepers &= sleepers - 1;
    act->event->result = (uint64_t)__builtin_ctz(sleepers) + 1;
    wake(act, (uint32_t)__builtin_ctz(sleepers));
}

static void cond_broadcast(struct act *act) {
    while (act->state->sleepers[act->object])
        wake(act, (uint32_t)__builtin_ctz(act->state->sleepers[act->object]));
}

static void barrier_arrive(struct act *act) {
    uint32_t *arrived = &act->state->arrived[act->object];
    act->own->round = act->state->rounds[act->object];
    if (++*arrived < act->system->script->barriers[act->object]) {
        act->own->phase = PHASE_AT_BARRIER;
        return;
    }
    *arrived = 0;
    act->own->round = 0;
    act->state->rounds[act->object]++;
    result(act, 1);
}

static void barrier_leave(struct act *act) {
    act->own->phase = PHASE_FIRST;
    act->own->round = 0;
    result(act, 0);
}

/* A timed wait may give up even if it need not. */
static void sem_wait(struct act *act) {
    struct host *host = act->system->host;
    uint32_t *semaphore = &act->state->semaphores[act->object];
    if (act->now->timed &&
        (*semaphore == 0 || host->ops->choose(host, CHOICE_TIMEOUT, act->task, 2) == 1)) {
        time_out(act);
        return;
    }
    succeed(act, *semaphore > 0);
    *semaphore -= *semaphore > 0;
}

static void once_enter(struct act *act) {
    if (act->state->onces[act->object] == ONCE_DONE)
        return;
    act->state->onces[act->object] = act->task + 1;
    act->own->phase = PHASE_IN_ONCE;
}

static void once_leave(struct act *act) {
    act->state->onces[act->object] = ONCE_DONE;
    act->own->phase = PHASE_FIRST;
}

static void send(struct act *act) {
    struct script_mailbox *box = &act->state->mailboxes[act->object];
    CHECK(box->sent - box->received < SCRIPT_MESSAGES);
    box->values[box->sent % SCRIPT_MESSAGES] = (uint64_t)act->now->value;
    act->event->result = box->sent++;
}

static void receive(struct act *act) {
    struct script_mailbox *box = &act->state->mailboxes[act->object];
    if (box->sent == box->received) {
        succeed(act, false);
        return;
    }
    uint64_t *slot = &box->values[box->received % SCRIPT_MESSAGES];
    script_got(act->system, act->task, *slot);
    *slot = 0;
    act->event->result = box->received++;
}

static void create(struct act *act) {
    struct script_task_state *child = &act->state->tasks[act->object];
    bool absent = child->status == TASK_ABSENT;
    if (absent)
        child->status = TASK_LIVE;
    act->event->result = act->object;
    succeed(act, absent);
}

static void choose(struct act *act) {
    struct host *host = act->system->host;
    uint32_t count = (uint32_t)act->now->value;
    result(act, count > 1 ? host->ops->choose(host, CHOICE_VALUE, act->task, count) : 0);
}

static void exit_all(struct act *act) {
    act->state->outcome = OUTCOME_ENDED;
    act->own->status = TASK_OVER;
}

static void cancel_point(struct act *act) {
    if (act->own->cancelled)
        act->own->status = TASK_OVER;
}

static void later_phase(struct act *act) {
    switch ((enum script_phase)act->own->phase) {
    case PHASE_ASLEEP: cond_sleep(act); break;
    case PHASE_WOKEN: cond_wake(act); break;
    case PHASE_AT_BARRIER: barrier_leave(act); break;
    case PHASE_IN_ONCE: once_leave(act); break;
    case PHASE_FIRST: break;
    }
}

static void first_phase(struct act *act) {
    struct script_state *state = act->state;
    uint32_t object = act->object;
    switch (act->now->code) {
    case OP_LOCK:
    case OP_TRYLOCK: take(act, &state->mutexes[object]); break;
    case OP_UNLOCK: give_back(act, &state->mutexes[object]); break;
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK: take(act, &state->spinlocks[object]); break;
    case OP_SPIN_UNLOCK: give_back(act, &state->spinlocks[object]); break;
    case OP_READ_LOCK:
    case OP_TRY_READ_LOCK: read_lock(act); break;
    case OP_WRITE_LOCK:
    case OP_TRY_WRITE_LOCK: write_lock(act); break;
    case OP_RW_UNLOCK: rw_unlock(act); break;
    case OP_COND_WAIT: cond_wait(act); break;
    case OP_COND_SIGNAL: cond_signal(act); break;
    case OP_COND_BROADCAST: cond_broadcast(act); break;
    case OP_BARRIER_ARRIVE: barrier_arrive(act); break;
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT: sem_wait(act); break;
    case OP_SEM_POST: state->semaphores[object]++; break;
    case OP_SEM_GETVALUE: result(act, state->semaphores[object]); break;
    case OP_ONCE_ENTER: once_enter(act); break;
    case OP_SEND: send(act); break;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE: receive(act); break;
    case OP_CREATE: create(act); break;
    case OP_JOIN: break;
    case OP_TRYJOIN: succeed(act, is_over(act->system, object)); break;
    case OP_DETACH: state->tasks[object].detached = true; break;
    case OP_CANCEL: state->tasks[object].cancelled = true; break;
    case OP_CANCEL_POINT: cancel_point(act); break;
    case OP_EXIT: exit_all(act); break;
    case OP_CHOOSE: choose(act); break;
    case OP_ATOMIC: act->own->in_section = true; break;
    case OP_YIELD:
    case OP_SLEEP:
    case OP_FENCE: break;
    default: CHECK(is_memory(act->now)); memory_access(act);
    }
}

void operation_perform(struct scripted *system, uint32_t task, uint32_t flags) {
    const struct script_instruction *now = instruction_at(system, task);
    struct script_task_state *own = &system->state.tasks[task];
    struct op op = operation_of(system, task);
    struct host *host = system->host;
    struct act act = {system, &system->state, own, now, NULL, task, now->object};
    CHECK(operation_enabled(system, task));
    act.event = host->ops->event(host, task, &op);
    act.event->flags |= flags;
    if (own->phase == PHASE_FIRST)
        first_phase(&act);
    else
        later_phase(&act);
    if (own->phase == PHASE_FIRST)
        own->at++;
    host->ops->happened(host, act.event);
}
