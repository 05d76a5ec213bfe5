/* lock_state.c - see lock_state.h. */
#include "event/lock_state.h"

static bool counts(enum op_act act) {
    return act == ACT_COUNT_DOWN || act == ACT_COUNT_UP || act == ACT_COUNT;
}

void lock_state_begin(struct lock_state *state, const struct event *event) {
    *state = (struct lock_state){0};
    lock_state_learn(state, event);
}

void lock_state_learn(struct lock_state *state, const struct event *event) {
    if (state->counted || !counts(op_info(event->op.kind)->act))
        return;
    state->counted = true;
    state->unknown = false;
    state->value = (int64_t)event->count;
}

bool lock_state_decides(const struct lock_state *state, const struct op *op) {
    if (op->timed)
        return true;
    return !state->unknown && (state->counted || op_info(op->kind)->act != ACT_COUNT_DOWN);
}

static void wait_on_condition(struct lock_state *state, const struct event *event,
                              uint64_t object) {
    if (event->op.mutex != object)
        return;
    bool wakes_up = op_info(event->op.kind)->act == ACT_WAKE_UP;
    state->holds = wakes_up;
    state->owner = event->task;
    state->lost |= !wakes_up && event->error != 0;
}

static void take(struct lock_state *state, const struct event *event) {
    state->holds++;
    state->owner = event->task;
}

static void give_back(struct lock_state *state, const struct event *event) {
    state->holds -= state->holds > 0;
    state->lost |= event->error != 0;
}

static void give_either(struct lock_state *state) {
    if (state->written)
        state->written = false;
    else if (state->readers > 0)
        state->readers--;
}

static void finish(struct lock_state *state, const struct event *event) {
    state->entered = false;
    state->done = event->runs != 0;
}

static void put_message(struct lock_state *state) {
    state->value++;
    state->sent++;
}

/* Nobody knows what it has done. */
static void change(struct lock_state *state, const struct event *event) {
    if (op_info(event->op.kind)->effect == EFFECT_WRITE) {
        state->unknown = true;
        state->counted = false;
    }
}

static void halt(struct lock_state *state) {
    state->value = 0;
    state->halted = true;
}

/* A wake-up takes the mutex even if the wait has timed out. */
static bool has_effect(const struct event *event) {
    if (event->flags & EVENT_FAILED)
        return false;
    return !(event->flags & EVENT_TIMED_OUT) || op_info(event->op.kind)->act == ACT_WAKE_UP;
}

void lock_state_apply(struct lock_state *state, const struct event *event, uint64_t object) {
    if (!has_effect(event))
        return;
    switch (op_info(event->op.kind)->act) {
    case ACT_TAKE: take(state, event); break;
    case ACT_GIVE_BACK: give_back(state, event); break;
    case ACT_ABANDON: state->holds = 0; break;
    case ACT_FALL_ASLEEP:
    case ACT_WAKE_UP: wait_on_condition(state, event, object); break;
    case ACT_TAKE_SHARED: state->readers++; break;
    case ACT_TAKE_ALONE: state->written = true; break;
    case ACT_GIVE_EITHER: give_either(state); break;
    case ACT_COUNT_UP: state->value++; break;
    case ACT_COUNT_DOWN: state->value--; break;
    case ACT_INIT: *state = (struct lock_state){0}; break;
    case ACT_INIT_COUNT:
        *state = (struct lock_state){.counted = true, .value = (int64_t)event->op.value};
        break;
    case ACT_ENTER: state->entered = event->runs != 0; break;
    case ACT_FINISH: finish(state, event); break;
    case ACT_SEND: put_message(state); break;
    case ACT_RECEIVE: state->value--; break;
    case ACT_HALT: halt(state); break;
    case ACT_NONE: change(state, event); break;
    case ACT_READ:
    case ACT_WRITE:
    case ACT_MODIFY:
    case ACT_EXCHANGE:
    case ACT_FENCE:
    case ACT_ARRIVE:
    case ACT_LEAVE:
    case ACT_COUNT:
    case ACT_CREATE:
    case ACT_JOIN:
    case ACT_END:
    case ACT_SECTION:
    case ACT_ANNOTATE: break;
    }
}

/* A send that does not wait for room, or a halt that does not wait for a message. */
static bool waits_for_message(const struct op *op) {
    return op->message_flags & MESSAGE_WAITS;
}

bool lock_state_allows(const struct lock_state *state, const struct op *op) {
    const struct op_info *info = op_info(op->kind);
    if (op->timed || (info->wait != AWAIT_STATE && info->wait != AWAIT_ROOM))
        return true;
    switch (info->act) {
    case ACT_TAKE: return state->holds == 0;
    case ACT_TAKE_SHARED: return !state->written;
    case ACT_TAKE_ALONE: return !state->written && state->readers == 0;
    case ACT_COUNT_DOWN: return !state->counted || state->value > 0;
    case ACT_ENTER: return !state->entered;
    case ACT_RECEIVE: return state->value > 0;
    case ACT_HALT: return !waits_for_message(op) || state->value > 0;
    case ACT_SEND: return !waits_for_message(op) || state->halted || state->value < op->room;
    case ACT_NONE:
    case ACT_READ:
    case ACT_WRITE:
    case ACT_MODIFY:
    case ACT_EXCHANGE:
    case ACT_FENCE:
    case ACT_INIT:
    case ACT_INIT_COUNT:
    case ACT_GIVE_BACK:
    case ACT_ABANDON:
    case ACT_GIVE_EITHER:
    case ACT_FALL_ASLEEP:
    case ACT_WAKE_UP:
    case ACT_ARRIVE:
    case ACT_LEAVE:
    case ACT_COUNT_UP:
    case ACT_COUNT:
    case ACT_FINISH:
    case ACT_CREATE:
    case ACT_JOIN:
    case ACT_END:
    case ACT_SECTION:
    case ACT_ANNOTATE: break;
    }
    return true;
}

static bool fails(struct event *event, bool fails) {
    event->flags = fails ? EVENT_FAILED : 0;
    return true;
}

static bool is_free(const struct lock_state *state, struct event *event) {
    if (state->lost)
        return fails(event, true);
    if (state->holds > 0 && state->owner == event->task)
        return false; /* the mutex may be recursive */
    return fails(event, state->holds > 0);
}

/* A timed wait may give up at any time. */
static bool counts_down(const struct lock_state *state, struct event *event) {
    if (!op_blocks(event->op.kind))
        return state->counted && fails(event, state->value <= 0);
    if (event->op.timed && (!state->counted || state->value > 0))
        return false;
    return fails(event, event->op.timed);
}

bool lock_state_predict(const struct lock_state *state, struct event *event) {
    if (state->unknown)
        return false;
    switch (op_info(event->op.kind)->act) {
    case ACT_TAKE: return is_free(state, event);
    case ACT_TAKE_SHARED: return fails(event, state->written);
    case ACT_TAKE_ALONE: return fails(event, state->written || state->readers > 0);
    case ACT_COUNT_DOWN: return counts_down(state, event);
    case ACT_COUNT_UP:
    case ACT_COUNT:
    case ACT_HALT: return fails(event, false);
    case ACT_ENTER: event->runs = !state->done; return fails(event, false);
    case ACT_NONE:
    case ACT_READ:
    case ACT_WRITE:
    case ACT_MODIFY:
    case ACT_EXCHANGE:
    case ACT_FENCE:
    case ACT_INIT:
    case ACT_INIT_COUNT:
    case ACT_GIVE_BACK:
    case ACT_ABANDON:
    case ACT_GIVE_EITHER:
    case ACT_FALL_ASLEEP:
    case ACT_WAKE_UP:
    case ACT_ARRIVE:
    case ACT_LEAVE:
    case ACT_FINISH:
    case ACT_CREATE:
    case ACT_JOIN:
    case ACT_END:
    case ACT_SEND:
    case ACT_RECEIVE:
    case ACT_SECTION:
    case ACT_ANNOTATE: break;
    }
    return false;
}
