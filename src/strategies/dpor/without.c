/* without.c - see without.h. */
#include "strategies/dpor/without.h"

/* Collects the wanted steps on an object, beginning with step `from`, latest first. */
static void collect_trail(struct history *history, uint64_t object, uint32_t from,
                          bool (*wanted)(const struct history *history, uint32_t step,
                                         uint32_t without, uint32_t task),
                          uint32_t without, uint32_t task) {
    uint32_t at = history_last_touch(history, object | TOUCH_OBJECT);
    history->trail_count = history->trail_base = 0;
    history->origin = NO_STEP;
    for (; at != 0; at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        history->origin = step;
        history->trail_base = step < from ? at : 0;
        if (step < from)
            break;
        if (!wanted(history, step, without, task))
            continue;
        history->trail = pool_grow(history->pool, history->trail, &history->trail_capacity,
                                   (size_t)history->trail_count + 1, sizeof *history->trail);
        history->trail[history->trail_count++] = step;
    }
}

static struct lock_state replay_trail(const struct history *history, uint64_t object) {
    struct lock_state state = {0};
    if (history->trail_base != 0)
        state = history->after[history->trail_base - 1];
    else if (history->origin != NO_STEP)
        lock_state_begin(&state, &history->steps[history->origin].event);
    for (uint32_t i = history->trail_count; i-- > 0;)
        lock_state_apply(&state, &history->steps[history->trail[i]].event, object);
    return state;
}

static bool own_step(const struct history *history, uint32_t step, uint32_t without,
                     uint32_t task) {
    (void)without;
    return history->steps[step].event.task == task;
}

static bool not_after(const struct history *history, uint32_t step, uint32_t without,
                      uint32_t task) {
    (void)task;
    return !happens_before(history, without, step);
}

static bool earlier_or_cause(const struct history *history, uint32_t step, uint32_t without,
                             uint32_t task) {
    uint32_t own = history->last[task];
    return step < without || (own > 0 && happens_before(history, step, own - 1));
}

/* The steps before the missing one stay as they were. */
struct lock_state state_without(struct history *history, uint32_t without, uint64_t object,
                                bool alone, uint32_t task) {
    collect_trail(history, object, without, alone ? earlier_or_cause : not_after, without, task);
    return replay_trail(history, object);
}

struct lock_state state_of_own(struct history *history, uint64_t object, uint32_t task) {
    collect_trail(history, object, 0, own_step, NO_STEP, task);
    return replay_trail(history, object);
}

void collect_without(struct history *history, uint32_t without, uint64_t object) {
    collect_trail(history, object, 0, not_after, without, NO_TASK);
}

static bool ended(const struct history *history, uint32_t task) {
    if (task >= history->width || history_waiting(history, history->state_count - 1, task) != NULL)
        return false;
    return history->born[task] > 0 || history_waiting(history, 0, task) != NULL;
}

bool ended_without(const struct history *history, uint32_t without, uint32_t task) {
    if (!ended(history, task))
        return false;
    uint32_t end = history->last[task];
    return end == 0 || !happens_before(history, without, end - 1);
}
