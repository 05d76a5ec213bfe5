/* canonical.c - see canonical.h. The form is the lexicographically least order of the steps (by
 * task) in which dependent steps keep their order. */
#include "unit/canonical.h"

#include <string.h>

#include "base/check.h"
#include "event/dependence.h"

void canonical_begin(struct canonical *canonical) {
    canonical->count = canonical->part_count = 0;
}

void canonical_access(struct canonical *canonical, uint64_t address, uint32_t size, bool write) {
    CHECK(canonical->count > 0 && canonical->part_count < PARTS_MAX);
    canonical->parts[canonical->part_count++] =
        (struct part){address, canonical->count - 1, size, write};
}

static void add_nested(struct canonical *canonical, const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    bool access =
        info->about == ABOUT_ATOMIC || info->about == ABOUT_VOLATILE || info->about == ABOUT_PLAIN;
    if (access)
        canonical_access(canonical, event->op.object, event->op.size,
                         info->effect == EFFECT_WRITE && !(event->flags & EVENT_FAILED));
    else if (event->op.kind != OP_ATOMIC && event->op.kind != OP_FENCE)
        canonical->more[canonical->count - 1] = true;
}

void canonical_add(struct canonical *canonical, const struct event *event) {
    if (event->flags & (EVENT_NOTE | EVENT_IDLE))
        return;
    if (event->flags & EVENT_NESTED) {
        add_nested(canonical, event);
        return;
    }
    CHECK(canonical->count < CANONICAL_MAX);
    canonical->more[canonical->count] = false;
    canonical->events[canonical->count++] = *event;
}

/* --- sections ------------------------------------------------------------------------------- */

static bool is_section(const struct canonical *canonical, uint32_t step) {
    return canonical->events[step].op.kind == OP_ATOMIC && !canonical->more[step] &&
           !(canonical->events[step].flags & EVENT_FATAL);
}

/* True if the section of this step has an access that conflicts with this one. */
static bool part_conflicts(const struct canonical *canonical, uint32_t section,
                           const struct part *part) {
    for (uint32_t i = 0; i < canonical->part_count; i++) {
        const struct part *own = &canonical->parts[i];
        if (own->step == section && (own->write || part->write) &&
            own->address < part->address + part->size && part->address < own->address + own->size)
            return true;
    }
    return false;
}

static bool sections_conflict(const struct canonical *canonical, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < canonical->part_count; i++)
        if (canonical->parts[i].step == b && part_conflicts(canonical, a, &canonical->parts[i]))
            return true;
    return false;
}

/* True if a section that only accesses memory depends on another step. */
static bool section_matters(const struct canonical *canonical, uint32_t section, uint32_t step) {
    const struct event *event = &canonical->events[step];
    const struct op_info *info = op_info(event->op.kind);
    if (is_section(canonical, step))
        return sections_conflict(canonical, section, step);
    if ((event->flags & EVENT_FATAL) || (info->class == CLASS_ALL && info->effect == EFFECT_WRITE))
        return true;
    const struct part part = {event->op.object, step, event->op.size,
                              info->effect == EFFECT_WRITE &&
                                  !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT))};
    return info->class == CLASS_MEMORY && part_conflicts(canonical, section, &part);
}

/* --- which orders can be observed ------------------------------------------------------------ */

static bool is_store(const struct event *event) {
    return event->op.kind == OP_STORE || event->op.kind == OP_VOLATILE_WRITE;
}

static bool same_bytes(const struct event *a, const struct event *b) {
    return is_store(a) && is_store(b) && a->op.object == b->op.object && a->op.size == b->op.size;
}

static bool same_box(const struct event *a, const struct event *b) {
    return a->op.kind == OP_SEND && b->op.kind == OP_SEND && a->op.object == b->op.object;
}

static bool sees(const struct event *event, const struct event *store) {
    struct event load = *store;
    load.op.kind = OP_RMW;
    return event->op.kind == OP_ATOMIC ||
           (op_info(event->op.kind)->class == CLASS_MEMORY && !same_bytes(event, store) &&
            dependent(&event->op, &load.op));
}

/* True if an event sees this store before the next store to the same bytes. */
static bool store_shows(const struct canonical *canonical, uint32_t store) {
    const struct event *events = canonical->events;
    uint32_t end = store + 1;
    while (end < canonical->count && !sees(&events[end], &events[store]) &&
           !same_bytes(&events[end], &events[store]))
        end++;
    return end < canonical->count && sees(&events[end], &events[store]);
}

static bool is_receive(const struct event *event, uint64_t object) {
    return (event->op.kind == OP_RECEIVE || event->op.kind == OP_TRY_RECEIVE) &&
           event->op.object == object && !(event->flags & EVENT_FAILED);
}

static bool has_section(const struct canonical *canonical) {
    for (uint32_t i = 0; i < canonical->count; i++)
        if (canonical->events[i].op.kind == OP_ATOMIC)
            return true;
    return false;
}

/* True if the receive that took the first message would also have taken the second. In a script, a
 * receive selects its messages by their value. */
static bool send_shows(const struct canonical *canonical, uint32_t first, uint32_t second) {
    const struct event *a = &canonical->events[first], *b = &canonical->events[second];
    for (uint32_t i = first + 1; i < canonical->count; i++) {
        const struct event *event = &canonical->events[i];
        if (!is_receive(event, a->op.object))
            continue;
        if (event->result == b->result)
            return false;
        if (event->result == a->result)
            return event->op.value == 0 || event->op.value == b->op.value;
    }
    return false;
}

static bool matters(const struct canonical *canonical, uint32_t first, uint32_t second) {
    const struct event *a = &canonical->events[first], *b = &canonical->events[second];
    bool pair = !((a->flags | b->flags) & EVENT_FATAL);
    if (canonical->observed && pair && same_bytes(a, b))
        return store_shows(canonical, second);
    if (canonical->observed && pair && same_box(a, b) && !has_section(canonical))
        return send_shows(canonical, first, second);
    if (!canonical->observed && is_section(canonical, first))
        return section_matters(canonical, first, second);
    if (!canonical->observed && is_section(canonical, second))
        return section_matters(canonical, second, first);
    return dependent_events(a, b);
}

/* Names a message by its sender and by the number of the step, among the sender's steps, that sent
 * it. */
static uint64_t message_name(const struct canonical *canonical, const struct event *receive) {
    uint64_t steps[64] = {0};
    for (uint32_t i = 0; i < canonical->count; i++) {
        const struct event *event = &canonical->events[i];
        steps[event->task]++;
        if (event->op.kind == OP_SEND && event->op.object == receive->op.object &&
            event->result == receive->result)
            return (uint64_t)event->task << 32 | steps[event->task];
    }
    return 0;
}

/* --- the form --------------------------------------------------------------------------------- */

static bool ordered(const struct canonical *canonical, uint32_t one, uint32_t other) {
    const struct event *first = &canonical->events[one], *second = &canonical->events[other];
    if (first->task == second->task || matters(canonical, one, other))
        return true;
    if (first->op.kind == OP_CREATE && first->op.target == second->task &&
        !(first->flags & EVENT_FAILED))
        return true;
    return second->op.kind == OP_JOIN && second->op.target == first->task &&
           !(second->flags & EVENT_TIMED_OUT);
}

static bool is_next(const struct canonical *canonical, const bool *placed, uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (!placed[i] && ordered(canonical, i, at))
            return false;
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

/* The result of a store, a post or a wait is the old value, which the task does not get to see. */
static bool shows_result(enum op_kind kind) {
    return kind != OP_STORE && kind != OP_VOLATILE_WRITE && kind != OP_PLAIN_WRITE &&
           kind != OP_SEM_POST && kind != OP_SEM_WAIT;
}

static uint64_t mix_event(const struct canonical *canonical, uint64_t hash,
                          const struct event *event) {
    hash = mix(hash, event->task);
    hash = mix(hash, event->op.pc);
    hash = mix(hash, event->op.kind);
    hash = mix(hash, event->flags);
    if (canonical->observed && event->op.kind == OP_SEND)
        return hash;
    if (canonical->observed && is_receive(event, event->op.object))
        return mix(hash, message_name(canonical, event));
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
        hash = mix_event(canonical, hash, &canonical->events[best]);
    }
    return hash;
}

uint64_t canonical_observed(struct canonical *canonical, bool fatal) {
    canonical->observed = true;
    uint64_t form = canonical_form(canonical, fatal);
    canonical->observed = false;
    return form;
}
