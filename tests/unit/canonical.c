/* canonical.c - see canonical.h. The form is the lexicographically least order of the steps (by task)
 * that keeps dependent ones as they were. */
#include "unit/canonical.h"

#include <string.h>

#include "base/check.h"
#include "event/dependence.h"

void canonical_begin(struct canonical *canonical) {
    canonical->count = 0;
}

void canonical_add(struct canonical *canonical, const struct event *event) {
    if (event->flags & (EVENT_NESTED | EVENT_NOTE | EVENT_IDLE))
        return;
    CHECK(canonical->count < CANONICAL_MAX);
    canonical->events[canonical->count++] = *event;
}

static bool ordered(const struct event *first, const struct event *second) {
    if (first->task == second->task || dependent_events(first, second))
        return true;
    if (first->op.kind == OP_CREATE && first->op.target == second->task &&
        !(first->flags & EVENT_FAILED))
        return true;
    return second->op.kind == OP_JOIN && second->op.target == first->task;
}

static bool is_next(const struct canonical *canonical, const bool *placed, uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (!placed[i] && ordered(&canonical->events[i], &canonical->events[at]))
            return false;
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

/* Of these the result is what was there before, which the task does not get to see. */
static bool shows_result(enum op_kind kind) {
    return kind != OP_STORE && kind != OP_VOLATILE_WRITE && kind != OP_PLAIN_WRITE &&
           kind != OP_SEM_POST && kind != OP_SEM_WAIT;
}

static uint64_t mix_event(uint64_t hash, const struct event *event) {
    hash = mix(hash, event->task);
    hash = mix(hash, event->op.pc);
    hash = mix(hash, event->op.kind);
    hash = mix(hash, event->flags);
    return shows_result(event->op.kind) ? mix(hash, event->result) : hash;
}

uint64_t canonical_form(struct canonical *canonical, bool fatal) {
    bool placed[CANONICAL_MAX] = {false};
    uint64_t hash = 0;
    if (fatal && canonical->count > 0)
        canonical->events[canonical->count - 1].flags |= EVENT_FATAL;
    for (uint32_t n = 0; n < canonical->count; n++) {
        uint32_t best = CANONICAL_MAX;
        for (uint32_t i = 0; i < canonical->count; i++)
            if (!placed[i] && is_next(canonical, placed, i) &&
                (best == CANONICAL_MAX || canonical->events[i].task < canonical->events[best].task))
                best = i;
        CHECK(best < CANONICAL_MAX);
        placed[best] = true;
        hash = mix_event(hash, &canonical->events[best]);
    }
    return hash;
}
