/* effects.c - the operations on objects that scripted tasks share, and the table of all
 * operations. */
#include "substrates/scripted/effects.h"

#include "base/check.h"
#include "event/event.h"

static void take(struct act *act, uint32_t *holder) {
    if (*holder == 0) {
        *holder = act->task + 1;
        succeed(act, true);
    } else if (act->now->timed)
        time_out(act);
    else
        succeed(act, false);
}

/* The task that locks the mutex next learns this by a 3 in its register. */
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

static void unlock(struct act *act) {
    give_back(act, &act->state->mutexes[act->object]);
}

static void take_spin(struct act *act) {
    take(act, &act->state->spinlocks[act->object]);
}

static void unlock_spin(struct act *act) {
    give_back(act, &act->state->spinlocks[act->object]);
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

/* The woken sleeper is chosen among all. */
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
    act->event->woken = (uint64_t)__builtin_ctz(sleepers) + 1;
    wake(act, (uint32_t)__builtin_ctz(sleepers));
}

static void cond_broadcast(struct act *act) {
    while (act->state->sleepers[act->object])
        wake(act, (uint32_t)__builtin_ctz(act->state->sleepers[act->object]));
}

static void barrier_arrive(struct act *act) {
    uint32_t *arrived = &act->state->arrived[act->object];
    act->own->round = act->state->rounds[act->object];
    act->event->op.round = act->own->round;
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

/* A timed wait may give up at any time. */
static void sem_wait(struct act *act) {
    struct host *host = act->system->host;
    uint32_t *semaphore = &act->state->semaphores[act->object];
    act->event->count = *semaphore;
    if (act->now->timed &&
        (*semaphore == 0 || host->ops->choose(host, CHOICE_TIMEOUT, act->task, 2) == 1)) {
        time_out(act);
        return;
    }
    succeed(act, *semaphore > 0);
    *semaphore -= *semaphore > 0;
}

static void sem_post(struct act *act) {
    act->event->count = act->state->semaphores[act->object]++;
}

static void sem_getvalue(struct act *act) {
    act->event->count = act->state->semaphores[act->object];
    result(act, act->state->semaphores[act->object]);
}

static void until(struct act *act) {
    act->state->semaphores[act->object] += (uint32_t)act->now->value2;
    script_got(act->system, act->task, 1);
}

static void once_enter(struct act *act) {
    if (act->state->onces[act->object] == ONCE_DONE)
        return;
    act->state->onces[act->object] = act->task + 1;
    act->event->runs = 1;
    act->own->phase = PHASE_IN_ONCE;
}

static void once_leave(struct act *act) {
    act->state->onces[act->object] = ONCE_DONE;
    act->own->phase = PHASE_FIRST;
    act->event->runs = 1;
}

static void send(struct act *act) {
    struct script_mailbox *box = &act->state->mailboxes[act->object];
    CHECK(box->count < SCRIPT_MESSAGES);
    box->values[box->count] = (uint64_t)act->now->value;
    box->numbers[box->count++] = box->sent;
    act->event->number = box->sent++;
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
    act->event->number = box->numbers[at];
    if (act->now->value2 != 0)
        act->event->op.also_fits = matches_behind(act, box, at);
    remove_message(box, at);
}

/* --- when they are enabled ------------------------------------------------------------------ */

static bool mutex_is_free(const struct script_state *state, const struct script_instruction *now,
                          const struct script_task_state *own) {
    (void)own;
    return state->mutexes[now->object] == 0 || now->timed;
}

static bool spin_is_free(const struct script_state *state, const struct script_instruction *now,
                         const struct script_task_state *own) {
    (void)own;
    return state->spinlocks[now->object] == 0;
}

static bool no_writer(const struct script_state *state, const struct script_instruction *now,
                      const struct script_task_state *own) {
    (void)own;
    return state->writers[now->object] == 0;
}

static bool no_writer_or_reader(const struct script_state *state,
                                const struct script_instruction *now,
                                const struct script_task_state *own) {
    (void)own;
    return state->writers[now->object] == 0 && state->readers[now->object] == 0;
}

static bool gives_up(const struct script_state *state, const struct script_instruction *now,
                     const struct script_task_state *own) {
    (void)state, (void)own;
    return now->timed;
}

static bool own_mutex_is_free(const struct script_state *state,
                              const struct script_instruction *now,
                              const struct script_task_state *own) {
    (void)own;
    return state->mutexes[now->object2] == 0;
}

static bool round_is_over(const struct script_state *state, const struct script_instruction *now,
                          const struct script_task_state *own) {
    return state->rounds[now->object] != own->round;
}

static bool can_count_down(const struct script_state *state, const struct script_instruction *now,
                           const struct script_task_state *own) {
    (void)own;
    return state->semaphores[now->object] > 0 || now->timed;
}

static bool is_even_or_odd(const struct script_state *state, const struct script_instruction *now,
                           const struct script_task_state *own) {
    (void)own;
    return state->semaphores[now->object] % 2 == (uint32_t)now->value;
}

static bool nobody_inside(const struct script_state *state, const struct script_instruction *now,
                          const struct script_task_state *own) {
    (void)own;
    return state->onces[now->object] == 0 || state->onces[now->object] == ONCE_DONE;
}

static bool task_is_over(const struct script_state *state, const struct script_instruction *now,
                         const struct script_task_state *own) {
    (void)own;
    return is_over(state, now->object) || now->timed;
}

static bool message_is_there(const struct script_state *state, const struct script_instruction *now,
                             const struct script_task_state *own) {
    (void)own;
    return script_first_match(&state->mailboxes[now->object], now) <
           state->mailboxes[now->object].count;
}

static bool value_has_changed(const struct script_state *state,
                              const struct script_instruction *now,
                              const struct script_task_state *own) {
    return own->phase != PHASE_PARKED || script_load(state, now) != own->seen;
}

static bool never(const struct script_state *state, const struct script_instruction *now,
                  const struct script_task_state *own) {
    (void)state, (void)now, (void)own;
    return false;
}

/* --- the holders of what tasks wait for ----------------------------------------------------- */

static uint32_t only_holder(uint32_t holder_plus_one, uint32_t nth) {
    return nth == 0 && holder_plus_one != 0 ? holder_plus_one - 1 : NO_TASK;
}

static uint32_t mutex_holder(const struct script_state *state, const struct script_instruction *now,
                             uint32_t nth) {
    return only_holder(state->mutexes[now->object], nth);
}

static uint32_t own_mutex_holder(const struct script_state *state,
                                 const struct script_instruction *now, uint32_t nth) {
    return only_holder(state->mutexes[now->object2], nth);
}

static uint32_t spin_holder(const struct script_state *state, const struct script_instruction *now,
                            uint32_t nth) {
    return only_holder(state->spinlocks[now->object], nth);
}

static uint32_t writer(const struct script_state *state, const struct script_instruction *now,
                       uint32_t nth) {
    return only_holder(state->writers[now->object], nth);
}

static uint32_t writer_or_reader(const struct script_state *state,
                                 const struct script_instruction *now, uint32_t nth) {
    uint32_t readers = state->readers[now->object];
    if (readers == 0)
        return writer(state, now, nth);
    for (; nth > 0 && readers != 0; nth--)
        readers &= readers - 1;
    return readers != 0 ? (uint32_t)__builtin_ctz(readers) : NO_TASK;
}

static uint32_t joined_task(const struct script_state *state, const struct script_instruction *now,
                            uint32_t nth) {
    (void)state;
    return nth == 0 ? now->object : NO_TASK;
}

/* --- the table ------------------------------------------------------------------------------ */

const struct script_effect script_effects[SCRIPT_CODES] = {
    [OP_LOAD] = {.perform = effect_access},
    [OP_STORE] = {.perform = effect_access},
    [OP_RMW] = {.perform = effect_access},
    [OP_CAS] = {.perform = effect_access},
    [OP_FENCE] = {.perform = effect_nothing},
    [OP_VOLATILE_READ] = {.perform = effect_access},
    [OP_VOLATILE_WRITE] = {.perform = effect_access},
    [OP_PLAIN_READ] = {.perform = effect_access},
    [OP_PLAIN_WRITE] = {.perform = effect_access},
    [SCRIPT_AWAIT] = {effect_await, value_has_changed, NULL},

    [OP_LOCK] = {take_mutex, mutex_is_free, mutex_holder},
    [OP_TRYLOCK] = {.perform = take_mutex},
    [OP_UNLOCK] = {.perform = unlock},
    [OP_ABANDON] = {.perform = abandon},
    [OP_COND_WAIT] = {.perform = cond_wait},
    [OP_COND_SLEEP] = {cond_sleep, gives_up, NULL},
    [OP_COND_WAKE] = {cond_wake, own_mutex_is_free, own_mutex_holder},
    [OP_COND_SIGNAL] = {.perform = cond_signal},
    [OP_COND_BROADCAST] = {.perform = cond_broadcast},
    [OP_READ_LOCK] = {read_lock, no_writer, writer},
    [OP_WRITE_LOCK] = {write_lock, no_writer_or_reader, writer_or_reader},
    [OP_TRY_READ_LOCK] = {.perform = read_lock},
    [OP_TRY_WRITE_LOCK] = {.perform = write_lock},
    [OP_RW_UNLOCK] = {.perform = rw_unlock},
    [OP_SPIN_LOCK] = {take_spin, spin_is_free, spin_holder},
    [OP_SPIN_TRYLOCK] = {.perform = take_spin},
    [OP_SPIN_UNLOCK] = {.perform = unlock_spin},
    [OP_BARRIER_ARRIVE] = {.perform = barrier_arrive},
    [OP_BARRIER_LEAVE] = {barrier_leave, round_is_over, NULL},
    [OP_SEM_WAIT] = {sem_wait, can_count_down, NULL},
    [OP_SEM_TRYWAIT] = {.perform = sem_wait},
    [OP_SEM_POST] = {.perform = sem_post},
    [OP_SEM_GETVALUE] = {.perform = sem_getvalue},
    [SCRIPT_UNTIL] = {until, is_even_or_odd, NULL},
    [OP_ONCE_ENTER] = {once_enter, nobody_inside, NULL},
    [OP_ONCE_LEAVE] = {.perform = once_leave},
    [OP_SEND] = {.perform = send},
    [OP_RECEIVE] = {receive, message_is_there, NULL},
    [OP_TRY_RECEIVE] = {.perform = receive},

    [OP_CREATE] = {.perform = effect_create},
    [OP_JOIN] = {effect_join, task_is_over, joined_task},
    [OP_TRYJOIN] = {.perform = effect_tryjoin},
    [OP_DETACH] = {.perform = effect_detach},
    [OP_KILL] = {.perform = effect_kill},
    [OP_END] = {.perform = effect_end},
    [OP_CANCEL] = {.perform = effect_cancel},
    [OP_CANCEL_POINT] = {.perform = effect_cancel_point},
    [OP_EXIT] = {.perform = effect_exit},

    [OP_ANNOTATE_RELEASE] = {.perform = effect_nothing},
    [OP_ANNOTATE_ACQUIRE] = {.perform = effect_nothing},
    [OP_CHOOSE] = {.perform = effect_choose},
    [OP_YIELD] = {.perform = effect_nothing},
    [OP_SLEEP] = {.perform = effect_nothing},
    [OP_ASSUME] = {effect_nothing, never, NULL},
    [OP_FAIL] = {.perform = effect_nothing}, /* scripted.c ends the execution */
    [OP_ATOMIC] = {.perform = effect_section},
};
