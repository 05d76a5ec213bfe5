/* lock_state.c - see lock_state.h. */
#include "event/lock_state.h"

void lock_state_begin(struct lock_state *state, const struct event *event) {
    bool counts = event->op.kind == OP_SEM_POST || event->op.kind == OP_SEM_WAIT ||
                  event->op.kind == OP_SEM_TRYWAIT || event->op.kind == OP_SEM_GETVALUE;
    *state = (struct lock_state){0};
    if (counts) {
        state->counted = true;
        state->value = (int64_t)event->result;
    }
}

static void wait_on_condition(struct lock_state *state, const struct event *event,
                              uint64_t object) {
    if (event->op.object2 != object)
        return;
    state->holds = event->op.kind == OP_COND_WAKE;
    state->owner = event->task;
    state->lost |= event->op.kind == OP_COND_WAIT && event->result != 0;
}

static void give_back(struct lock_state *state) {
    if (state->written)
        state->written = false;
    else if (state->readers > 0)
        state->readers--;
}

void lock_state_apply(struct lock_state *state, const struct event *event, uint64_t object) {
    bool timed_out = (event->flags & EVENT_TIMED_OUT) &&
                     event->op.kind != OP_COND_WAKE; /* it takes the mutex also when time is up */
    if (timed_out || (event->flags & EVENT_FAILED))
        return;
    switch ((enum op_kind)event->op.kind) {
    case OP_LOCK:
    case OP_TRYLOCK:
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK:
        state->holds++;
        state->owner = event->task;
        break;
    case OP_UNLOCK:
        state->holds -= state->holds > 0;
        state->lost |= event->result != 0;
        break;
    case OP_SPIN_UNLOCK: state->holds -= state->holds > 0; break;
    case OP_ABANDON: state->holds = 0; break;
    case OP_COND_WAIT:
    case OP_COND_WAKE: wait_on_condition(state, event, object); break;
    case OP_READ_LOCK:
    case OP_TRY_READ_LOCK: state->readers++; break;
    case OP_WRITE_LOCK:
    case OP_TRY_WRITE_LOCK: state->written = true; break;
    case OP_RW_UNLOCK: give_back(state); break;
    case OP_SEM_POST: state->value++; break;
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT: state->value--; break;
    case OP_SEM_INIT:
        state->counted = true;
        state->value = (int64_t)event->op.value;
        break;
    case OP_ONCE_ENTER: state->entered = event->result != 0; break;
    case OP_ONCE_LEAVE:
        state->entered = false;
        state->done = event->result != 0;
        break;
    case OP_SEND:
        state->value++;
        state->sent++;
        break;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE: state->value--; break;
    case OP_HALT:
        state->value = 0;
        state->halted = true;
        break;
    case OP_MUTEX_INIT:
    case OP_RWLOCK_INIT:
    case OP_SPIN_INIT: *state = (struct lock_state){0}; break;
    default: break;
    }
}

bool lock_state_allows(const struct lock_state *state, const struct op *op) {
    if (op->timed)
        return true;
    switch ((enum op_kind)op->kind) {
    case OP_LOCK:
    case OP_SPIN_LOCK: return state->holds == 0;
    case OP_READ_LOCK: return !state->written;
    case OP_WRITE_LOCK: return !state->written && state->readers == 0;
    case OP_SEM_WAIT: return !state->counted || state->value > 0;
    case OP_ONCE_ENTER: return !state->entered;
    case OP_RECEIVE: return state->value > 0;
    case OP_HALT: return !(op->order & MESSAGE_WAITS) || state->value > 0;
    case OP_SEND: return !(op->order & MESSAGE_WAITS) || state->halted || state->value < op->size;
    default: return true;
    }
}

static bool fails(struct event *event, bool fails) {
    event->flags = fails ? EVENT_FAILED : 0;
    return true;
}

static bool is_free(const struct lock_state *state, struct event *event) {
    if (state->lost)
        return fails(event, true);
    if (state->holds > 0 && state->owner == event->task)
        return false; /* it may be recursive, or not */
    return fails(event, state->holds > 0);
}

bool lock_state_predict(const struct lock_state *state, struct event *event) {
    switch ((enum op_kind)event->op.kind) {
    case OP_LOCK:
    case OP_TRYLOCK:
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK: return is_free(state, event);
    case OP_READ_LOCK:
    case OP_TRY_READ_LOCK: return fails(event, state->written);
    case OP_WRITE_LOCK:
    case OP_TRY_WRITE_LOCK: return fails(event, state->written || state->readers > 0);
    case OP_SEM_TRYWAIT: return state->counted && fails(event, state->value <= 0);
    case OP_SEM_WAIT: /* a timed one may give up though it need not */
        if (event->op.timed && (!state->counted || state->value > 0))
            return false;
        return fails(event, event->op.timed);
    case OP_SEM_POST:
    case OP_SEM_GETVALUE:
    case OP_HALT: return fails(event, false);
    case OP_ONCE_ENTER: event->result = !state->done; return fails(event, false);
    default: return false;
    }
}
