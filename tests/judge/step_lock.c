/* step_lock.c - mutexes, read-write locks and spin locks, as POSIX defines them. A timed lock gives
 * up only while the lock is held (CONTROLLED.md). A reader gets the lock whenever there is no
 * writer. */
#include <errno.h>

#include "state.h"

bool state_take_mutex(struct state *state, int task, int number) {
    struct mutex_state *mutex = &state->mutexes[number];
    bool again = mutex->owner == task + 1 && number == MUTEX_RECURSIVE;
    if (mutex->owner != 0 && !again)
        return false;
    mutex->owner = (uint8_t)(task + 1);
    mutex->count++;
    order_acquire(state, task, &state->order.mutex[number]);
    return true;
}

void state_release_mutex(struct state *state, int task, int number) {
    struct mutex_state *mutex = &state->mutexes[number];
    if (--mutex->count == 0)
        mutex->owner = 0;
    order_release(state, task, &state->order.mutex[number]);
}

/* The result of a call that did not get the lock, or -1 if the call waits. */
static int refused(int way, bool tries, bool timed) {
    if (tries)
        return way == 0 ? EBUSY : -1;
    return timed && way == 1 ? ETIMEDOUT : -1;
}

static bool returns(struct state *state, int task, int error) {
    if (error < 0)
        return false;
    state_see(state, task, (uint64_t)error);
    state_next(state, task);
    return true;
}

static bool lock(struct state *state, int task, const struct instruction *at, int way) {
    bool own = state->mutexes[at->object].owner == task + 1;
    if (own && at->object == MUTEX_ERRORCHECK && at->kind != DO_TRYLOCK)
        return returns(state, task, way == 0 ? EDEADLK : -1);
    if (state->mutexes[at->object].owner == 0 || (own && at->object == MUTEX_RECURSIVE))
        return way == 0 && state_take_mutex(state, task, at->object) && returns(state, task, 0);
    return returns(state, task, refused(way, at->kind == DO_TRYLOCK, at->kind == DO_TIMEDLOCK));
}

static bool unlock(struct state *state, int task, const struct instruction *at) {
    if (state->mutexes[at->object].owner != task + 1) {
        if (at->object == MUTEX_NORMAL_0 || at->object == MUTEX_NORMAL_1)
            state->end = MISUSED; /* undefined behaviour */
        return returns(state, task, EPERM);
    }
    state_release_mutex(state, task, at->object);
    return returns(state, task, 0);
}

static bool rwlock(struct state *state, int task, const struct instruction *at, int way) {
    struct rwlock_state *rwlock = &state->rwlocks[at->object];
    enum kind kind = at->kind;
    bool writes = kind == DO_WRLOCK || kind == DO_TRYWRLOCK || kind == DO_TIMEDWRLOCK;
    bool tries = kind == DO_TRYRDLOCK || kind == DO_TRYWRLOCK;
    bool timed = kind == DO_TIMEDRDLOCK || kind == DO_TIMEDWRLOCK;
    bool held = rwlock->writer != 0;
    for (int i = 0; writes && i < TASKS_MAX; i++)
        held |= rwlock->readers[i] != 0;
    if (held)
        return returns(state, task, refused(way, tries, timed));
    if (way != 0)
        return false;
    order_acquire(state, task, &state->order.written[at->object]);
    if (writes) {
        rwlock->writer = (uint8_t)(task + 1);
        order_acquire(state, task, &state->order.shared[at->object]);
    } else {
        rwlock->readers[task]++;
    }
    return returns(state, task, 0);
}

static bool rwunlock(struct state *state, int task, const struct instruction *at) {
    struct rwlock_state *rwlock = &state->rwlocks[at->object];
    if (rwlock->writer == task + 1) {
        rwlock->writer = 0;
        order_release(state, task, &state->order.written[at->object]);
    } else {
        rwlock->readers[task]--;
        order_release(state, task, &state->order.shared[at->object]);
    }
    return returns(state, task, 0);
}

static bool spin(struct state *state, int task, const struct instruction *at, int way) {
    if (at->kind == DO_SPIN_UNLOCK) {
        state->spin = 0;
        order_release(state, task, &state->order.spin);
        return returns(state, task, 0);
    }
    if (state->spin != 0)
        return returns(state, task, refused(way, at->kind == DO_SPIN_TRYLOCK, false));
    state->spin = (uint8_t)(task + 1);
    order_acquire(state, task, &state->order.spin);
    return returns(state, task, 0);
}

bool step_lock(struct state *state, int task, const struct instruction *at, int way) {
    if (way > 1)
        return false;
    switch ((enum kind)at->kind) {
    case DO_LOCK:
    case DO_TRYLOCK:
    case DO_TIMEDLOCK: return lock(state, task, at, way);
    case DO_UNLOCK: return way == 0 && unlock(state, task, at);
    case DO_RWUNLOCK: return way == 0 && rwunlock(state, task, at);
    case DO_SPIN_LOCK:
    case DO_SPIN_TRYLOCK:
    case DO_SPIN_UNLOCK: return way == 0 && spin(state, task, at, way);
    default: return rwlock(state, task, at, way);
    }
}
