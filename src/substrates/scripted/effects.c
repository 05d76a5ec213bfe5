/* effects.c - what the operations of scripted tasks do. */
#include "base/check.h"
#include "substrates/scripted/operations.h"

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
    case OP_PLAIN_WRITE:
        act->event->result = old;
        script_store(act->system, act->now, value);
        return;
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

/* The next one that locks it is told so, by a 3 in its register. */
static void abandon(struct act *act) {
    uint32_t *holder = &act->state->mutexes[act->object];
    bool held = *holder == act->task + 1;
    if (held) {
        *holder = 0;
        act->state->orphans |= 1u << act->object;
    }
    succeed(act, held);
}

static void take_mutex(struct act *act) {
    uint32_t bit = 1u << act->object;
    bool orphan = act->state->mutexes[act->object] == 0 && (act->state->orphans & bit);
    take(act, &act->state->mutexes[act->object]);
    if (!orphan)
        return;
    act->state->orphans &= ~bit;
    script_got(act->system, act->task, 3);
}

static void give_back(struct act *act, uint32_t *holder) {
    bool held = *holder == act->task + 1;
    if (held)
        *holder = 0;
    succeed(act, held);
}

static void read_lock(struct act *act) {
    bool free = act->state->writers[act->object] == 0;
    if (free) {
        act->state->readers[act->object] |= 1u << act->task;
        act->state->reads[act->object][act->task]++;
    }
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
    if (--act->state->reads[act->object][act->task] == 0)
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
    act->event->op.value = act->own->round;
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
    act->event->result = *semaphore;
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
    act->event->result = 1;
    act->own->phase = PHASE_IN_ONCE;
}

static void once_leave(struct act *act) {
    act->state->onces[act->object] = ONCE_DONE;
    act->own->phase = PHASE_FIRST;
    act->event->result = 1;
}

static void send(struct act *act) {
    struct script_mailbox *box = &act->state->mailboxes[act->object];
    CHECK(box->count < SCRIPT_MESSAGES);
    box->values[box->count] = (uint64_t)act->now->value;
    box->numbers[box->count++] = box->sent;
    act->event->result = box->sent++;
}

static void remove_message(struct script_mailbox *box, uint32_t at) {
    for (box->count--; at < box->count; at++) {
        box->values[at] = box->values[at + 1];
        box->numbers[at] = box->numbers[at + 1];
    }
    box->values[box->count] = box->numbers[box->count] = 0;
}

/* See op.h. */
static uint32_t matches_behind(const struct act *act, const struct script_mailbox *box,
                               uint32_t at) {
    uint32_t bits = 0;
    for (uint32_t i = at + 1; i < box->count; i++)
        bits |= (uint32_t)script_matches(act->now, box->values[i]) << (i - at - 1);
    return bits;
}

static void receive(struct act *act) {
    struct script_mailbox *box = &act->state->mailboxes[act->object];
    uint32_t at = script_first_match(box, act->now);
    if (at == box->count) {
        succeed(act, false);
        return;
    }
    script_got(act->system, act->task, box->values[at]);
    act->event->result = box->numbers[at];
    if (act->now->value2 != 0)
        act->event->op.target = matches_behind(act, box, at);
    remove_message(box, at);
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

/* A task whose end is a step of its own goes there: operation_perform() steps to the next instruction. */
static void cancel_point(struct act *act) {
    const struct script_task *script = &act->system->script->tasks[act->task];
    if (act->own->cancelled && script_ends_by_step(script))
        act->own->at = script->length - 2;
    else if (act->own->cancelled)
        act->own->status = TASK_OVER;
}

static void join(struct act *act) {
    if (!is_over(act->system, act->object))
        time_out(act);
    else
        succeed(act, !act->state->tasks[act->object].detached);
}

static void await(struct act *act) {
    uint64_t value = script_load(act->system, act->now);
    bool there = value == (uint64_t)act->now->value;
    act->event->result = value;
    act->own->phase = there ? PHASE_FIRST : PHASE_PARKED;
    act->own->seen = there ? 0 : value;
    if (there)
        script_got(act->system, act->task, value);
}

static void later_phase(struct act *act) {
    switch ((enum script_phase)act->own->phase) {
    case PHASE_ASLEEP: cond_sleep(act); break;
    case PHASE_WOKEN: cond_wake(act); break;
    case PHASE_AT_BARRIER: barrier_leave(act); break;
    case PHASE_IN_ONCE: once_leave(act); break;
    case PHASE_PARKED: await(act); break;
    case PHASE_STOPPED:
    case PHASE_FAILED: /* no event: scripted.c ends the execution */
    case PHASE_FIRST: break;
    }
}

static void first_phase(struct act *act) {
    struct script_state *state = act->state;
    uint32_t object = act->object;
    switch (act->now->code) {
    case OP_LOCK:
    case OP_TRYLOCK: take_mutex(act); break;
    case OP_ABANDON: abandon(act); break;
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
    case OP_SEM_POST: act->event->result = state->semaphores[object]++; break;
    case OP_SEM_GETVALUE: result(act, state->semaphores[object]); break;
    case OP_ONCE_ENTER: once_enter(act); break;
    case OP_SEND: send(act); break;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE: receive(act); break;
    case OP_CREATE: create(act); break;
    case OP_JOIN: join(act); break;
    case OP_TRYJOIN: succeed(act, is_over(act->system, object)); break;
    case OP_KILL: result(act, is_over(act->system, object)); break;
    case OP_END: act->own->status = TASK_OVER; break;
    case OP_DETACH: state->tasks[object].detached = true; break;
    case OP_CANCEL: state->tasks[object].cancelled = true; break;
    case OP_CANCEL_POINT: cancel_point(act); break;
    case OP_EXIT: exit_all(act); break;
    case OP_CHOOSE: choose(act); break;
    case OP_ATOMIC: act->own->in_section = true; break;
    case SCRIPT_AWAIT: await(act); break;
    case OP_ANNOTATE_RELEASE:
    case OP_ANNOTATE_ACQUIRE:
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
