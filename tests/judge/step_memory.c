/* step_memory.c - atomics, plain memory and futexes. The values that atomics return are
 * sequentially consistent, whatever their memory order. A weak compare-exchange never fails
 * spuriously (CONTROLLED.md). */
#include <errno.h>
#include <string.h>

#include "state.h"

static uint64_t get(const uint8_t *from, int size) {
    uint64_t value = 0;
    memcpy(&value, from, (size_t)size); /* little endian, like the programs */
    return value;
}

static uint64_t cut(uint64_t value, int size) {
    return size == 8 ? value : value & ((1ull << (8 * size)) - 1);
}

/* The value that a read-modify-write stores if it finds `old`. */
static uint64_t modified(const struct instruction *at, uint64_t old) {
    switch ((enum kind)at->kind) {
    case DO_ADD: return old + at->value;
    case DO_SUB: return old - at->value;
    case DO_OR: return old | at->value;
    case DO_AND: return old & at->value;
    case DO_XOR: return old ^ at->value;
    default: return at->value; /* STORE, EXCHANGE */
    }
}

static enum strength failure_order(enum strength order) {
    return order == ACQ_REL ? ACQUIRE : order == RELEASE ? RELAXED : order;
}

static void compare_exchange(struct state *state, int task, const struct instruction *at) {
    uint8_t *cell = state->cells[at->object] + at->at;
    uint64_t old = get(cell, at->size);
    bool equal = old == cut(at->value, at->size);
    order_atomic(state, task, at->object, equal ? at->order : failure_order(at->order), true,
                 equal);
    order_atomic_access(state, task, at, true, equal);
    if (equal)
        memcpy(cell, &at->other, at->size);
    state_see(state, task, old);
    state_see(state, task, equal);
    state_next(state, task);
}

static void read_modify_write(struct state *state, int task, const struct instruction *at) {
    uint8_t *cell = state->cells[at->object] + at->at;
    uint64_t old = get(cell, at->size);
    uint64_t stored = modified(at, old);
    order_atomic_access(state, task, at, at->kind != DO_STORE, at->kind != DO_LOAD);
    order_atomic(state, task, at->object, at->order, at->kind != DO_STORE, at->kind != DO_LOAD);
    if (at->kind != DO_LOAD)
        memcpy(cell, &stored, at->size);
    if (at->kind != DO_STORE)
        state_see(state, task, old);
    state_next(state, task);
}

static void flag(struct state *state, int task, const struct instruction *at) {
    bool sets = at->kind == DO_TEST_AND_SET;
    order_atomic(state, task, FLAG_LOCATION, at->order, sets, true);
    if (sets)
        state_see(state, task, state->flag);
    state->flag = sets;
    state_next(state, task);
}

/* A loop that reads until it finds the value. POLL gives up after `count` rounds. */
static bool poll(struct state *state, int task, const struct instruction *at) {
    bool found = get(state->cells[at->object] + at->at, at->size) == cut(at->value, at->size);
    if (at->kind == DO_AWAIT && !found)
        return false; /* the rounds in between change nothing */
    order_atomic_access(state, task, at, true, false);
    order_atomic(state, task, at->object, at->order, true, false);
    struct task *self = &state->tasks[task];
    self->rounds++;
    if (!found && self->rounds < at->count)
        return true;
    if (at->kind == DO_POLL)
        state_see(state, task, found);
    state_next(state, task);
    return true;
}

void state_access(struct state *state, int task, const struct instruction *at) {
    uint8_t *data =
        (at->object < DATA ? state->data[at->object] : state->cells[at->object - DATA]) + at->at;
    bool writes = at->kind == DO_WRITE || at->kind == DO_VOLATILE_WRITE;
    order_access(state, task, at, writes);
    if (writes)
        memcpy(data, &at->value, at->size);
    else
        state_see(state, task, get(data, at->size));
    state_next(state, task);
}

/* FUTEX_WAIT (futex(2)) compares and falls asleep in one step. */
static bool futex_wait(const struct program *program, struct state *state, int task, int way) {
    const struct instruction *at = &program->code[task][state->tasks[task].pc];
    struct task *self = &state->tasks[task];
    if (self->phase == WAITING) {
        bool times_out = way == 1 && at->kind == DO_FUTEX_TIMEDWAIT;
        if (!times_out && !(way == 2 && program->spurious))
            return false;
        state_see(state, task, times_out ? ETIMEDOUT : 0);
        state_next(state, task);
        return true;
    }
    if (way != 0)
        return false;
    bool woken = self->phase == WOKEN;
    if (!woken && get(state->cells[at->object] + at->at, 4) == cut(at->value, 4)) {
        self->phase = WAITING;
        return true;
    }
    state_see(state, task, woken ? 0 : EAGAIN);
    state_next(state, task);
    return true;
}

static bool waits_there(const struct program *program, const struct state *state, int task,
                        const struct instruction *at) {
    const struct task *other = &state->tasks[task];
    const struct instruction *its = &program->code[task][other->pc];
    bool bits = its->other == 0 || at->other == 0 || (its->other & at->other) != 0;
    return other->status == LIVE && other->phase == WAITING && bits &&
           (its->kind == DO_FUTEX_WAIT || its->kind == DO_FUTEX_TIMEDWAIT) &&
           its->object == at->object && its->at == at->at;
}

/* Wakes all waiting tasks, but at most `count`. The way is the set of tasks to wake, as bits. */
static bool futex_wake(const struct program *program, struct state *state, int task,
                       const struct instruction *at, int way) {
    int waiting = 0;
    for (int other = 0; other < program->tasks; other++)
        if (waits_there(program, state, other, at))
            waiting |= 1 << other;
    int most = __builtin_popcount((unsigned)waiting);
    if ((way & ~waiting) ||
        __builtin_popcount((unsigned)way) != (most < at->count ? most : at->count))
        return false;
    for (int other = 0; other < program->tasks; other++)
        if (way & (1 << other))
            state->tasks[other].phase = WOKEN;
    state_see(state, task, (uint64_t)__builtin_popcount((unsigned)way));
    state_next(state, task);
    return true;
}

bool step_memory(const struct program *program, struct state *state, int task, int way) {
    const struct instruction *at = &program->code[task][state->tasks[task].pc];
    if (at->kind == DO_FUTEX_WAIT || at->kind == DO_FUTEX_TIMEDWAIT)
        return futex_wait(program, state, task, way);
    if (at->kind == DO_FUTEX_WAKE)
        return futex_wake(program, state, task, at, way);
    if (way != 0)
        return false;
    switch ((enum kind)at->kind) {
    case DO_CAS_STRONG:
    case DO_CAS_WEAK: compare_exchange(state, task, at); return true;
    case DO_TEST_AND_SET:
    case DO_CLEAR: flag(state, task, at); return true;
    case DO_FENCE:
        order_fence(state, task, at->order);
        state_next(state, task);
        return true;
    case DO_AWAIT:
    case DO_POLL: return poll(state, task, at);
    case DO_READ:
    case DO_WRITE:
    case DO_VOLATILE_READ:
    case DO_VOLATILE_WRITE: state_access(state, task, at); return true;
    case DO_PUBLISH:
        state->published[task] = state->tasks[task].log;
        state_next(state, task);
        return true;
    default: read_modify_write(state, task, at); return true;
    }
}
