/* step_wait.c - condition variables, semaphores, barriers and once.
 *
 * pthread_cond_wait has two steps. The first one releases the mutex and begins to wait. The second
 * one, after a wake-up, takes the mutex again. A signal wakes any one of the tasks that wait at
 * that moment. A timed wait may time out at any moment until it is woken, and after that no signal
 * is for it. */
#include <errno.h>

#include "state.h"

static void wake(struct state *state, int task, int with) {
    state->tasks[task].phase = WOKEN;
    state->tasks[task].wakes_with = (uint8_t)with;
}

static bool wait_without_signal(const struct program *program, struct state *state, int task,
                                bool timed, int way) {
    if (way == 1 && timed)
        wake(state, task, ETIMEDOUT);
    else if (way == 2 && program->spurious)
        wake(state, task, 0);
    else if (way == 3 && state_is_cancelled(state, task))
        wake(state, task, WOKEN_CANCELLED);
    else
        return false;
    return true;
}

static bool wait_for_condition(const struct program *program, struct state *state, int task,
                               const struct instruction *at, int way) {
    struct task *self = &state->tasks[task];
    if (self->phase == WAITING)
        return wait_without_signal(program, state, task, at->kind == DO_TIMEDWAIT, way);
    if (way != 0)
        return false;
    if (self->phase == WOKEN) {
        if (!state_take_mutex(state, task, at->count))
            return false;
        self->phase = BEFORE;
        if (self->wakes_with == WOKEN_CANCELLED) {
            state_unwind(state, task);
        } else {
            state_see(state, task, self->wakes_with);
            state_next(state, task);
        }
        self->wakes_with = 0;
        return true;
    }
    if (state_is_cancelled(state, task)) {
        state_unwind(state, task);
        return true;
    }
    state_release_mutex(state, task, at->count);
    self->phase = WAITING;
    return true;
}

static bool waits_for(const struct program *program, const struct state *state, int task,
                      int cond) {
    const struct task *other = &state->tasks[task];
    const struct instruction *its = &program->code[task][other->pc];
    return other->status == LIVE && other->phase == WAITING &&
           (its->kind == DO_WAIT || its->kind == DO_TIMEDWAIT) && its->object == cond;
}

/* The way is the number of the waiting task to wake, or 0 if no task waits. */
static bool signal_one(const struct program *program, struct state *state, int task, int cond,
                       int way) {
    bool any = false;
    for (int other = 0; other < program->tasks; other++)
        any |= waits_for(program, state, other, cond);
    if (any ? way >= program->tasks || !waits_for(program, state, way, cond) : way != 0)
        return false;
    if (any)
        wake(state, way, 0);
    state_next(state, task);
    return true;
}

static void broadcast(const struct program *program, struct state *state, int task, int cond) {
    for (int other = 0; other < program->tasks; other++)
        if (waits_for(program, state, other, cond))
            wake(state, other, 0);
    state_next(state, task);
}

static bool semaphore_wait(struct state *state, int task, const struct instruction *at, int way) {
    uint8_t *value = &state->semaphores[at->object];
    bool tries = at->kind == DO_SEM_TRYWAIT;
    if (way == 0 && !tries && state_is_cancelled(state, task)) {
        state_unwind(state, task);
        return true;
    }
    if (*value > 0) {
        if (way != 0)
            return false;
        --*value;
        order_acquire(state, task, &state->order.semaphore[at->object]);
        state_see(state, task, 0);
    } else if (tries && way == 0) {
        state_see(state, task, EAGAIN);
    } else if (at->kind == DO_SEM_TIMEDWAIT && way == 1) {
        state_see(state, task, ETIMEDOUT);
    } else {
        return false;
    }
    state_next(state, task);
    return true;
}

static void post(struct state *state, int task, const struct instruction *at) {
    state->semaphores[at->object]++;
    order_release(state, task, &state->order.semaphore[at->object]);
    state_next(state, task);
}

static bool barrier(const struct program *program, struct state *state, int task) {
    if (state->tasks[task].phase == WAITING)
        return false;
    if (state->tasks[task].phase == WOKEN) {
        state_next(state, task);
        return true;
    }
    state->arrived |= (uint8_t)(1u << task);
    order_release(state, task, &state->order.barrier);
    if (__builtin_popcount(state->arrived) < program->barrier_count) {
        state->tasks[task].phase = WAITING;
        return true;
    }
    for (int other = 0; other < program->tasks; other++)
        if (state->arrived & (1u << other)) {
            order_acquire(state, other, &state->order.barrier);
            state->tasks[other].phase = WOKEN;
        }
    state_next(state, task);
    state->arrived = 0;
    state->order.barrier = (struct clock){{0}};
    return true;
}

/* Takes a step of pthread_once. The routine adds 1 to a byte, twice. */
static bool once(struct state *state, int task, const struct instruction *at) {
    struct task *self = &state->tasks[task];
    uint8_t *done = &state->once[at->object];
    if (*done == ONCE_DONE) {
        order_acquire(state, task, &state->order.once[at->object]);
        state_next(state, task);
        return true;
    }
    if (*done != 0 && *done != task + 1)
        return false;
    if (*done == 0) {
        *done = (uint8_t)(task + 1);
        self->phase = IN_ROUTINE;
        return true;
    }
    if (self->rounds < 2) {
        self->rounds++;
        state->cells[1][6]++;
        order_atomic(state, task, ONCE_LOCATION, SEQ_CST, true, true);
        return true;
    }
    *done = ONCE_DONE;
    order_release(state, task, &state->order.once[at->object]);
    state_next(state, task);
    return true;
}

bool step_wait(const struct program *program, struct state *state, int task, int way) {
    const struct instruction *at = &program->code[task][state->tasks[task].pc];
    switch ((enum kind)at->kind) {
    case DO_WAIT:
    case DO_TIMEDWAIT: return wait_for_condition(program, state, task, at, way);
    case DO_SIGNAL: return signal_one(program, state, task, at->object, way);
    case DO_SEM_WAIT:
    case DO_SEM_TRYWAIT:
    case DO_SEM_TIMEDWAIT: return semaphore_wait(state, task, at, way);
    default: break;
    }
    if (way != 0)
        return false;
    switch ((enum kind)at->kind) {
    case DO_BROADCAST: broadcast(program, state, task, at->object); return true;
    case DO_SEM_POST: post(state, task, at); return true;
    case DO_SEM_GETVALUE:
        state_see(state, task, state->semaphores[at->object]);
        state_next(state, task);
        return true;
    case DO_BARRIER: return barrier(program, state, task);
    default: return once(state, task, at);
    }
}
