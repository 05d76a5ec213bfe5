/* known.c - see known.h. A table of bounded size, in which a new step replaces an old one. So it is
 * not the common hash table (base/hash_table.h), which keeps all that it was given. */
#include "substrates/native/machines/known.h"

#include <stdio.h>

#include "engine/session.h"
#include "event/event.h"
#include "substrates/native/machines/version.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/task.h"

#define KNOWN_BASE 0x3c0000000000u

enum { PLACES_FIRST = 1 << 10, PLACES_MAX = 1 << 14, AUDIT_EVERY = 4096, PARTS_MAX = 4 };

/* The slots that a step may change: those of the machine that moves, of its receiver, and of the
 * monitors that look on. */
struct parts {
    uint32_t ids[PARTS_MAX];
    uint32_t count;
};

struct known {
    uint32_t before[PARTS_MAX], after[PARTS_MAX]; /* versions of these slots; 0: no slot */
    uint64_t numbering;                           /* the numbers of all machines, as a hash */
    /* Fields of the event that differ from the published operation. */
    uint64_t value;
    uint32_t target;
    uint8_t order, size;
    uint16_t flags;
};

/* The step that is under way, and is not known. */
static struct {
    bool wanted; /* the step may be learned */
    struct known step;
    struct parts parts;
    uint32_t events, decisions;
    uint32_t versions[MACHINE_SLOTS], slots;
    const struct known *expected; /* an audit: the result that is expected; else NULL */
} under_way;

static bool is_on(void) {
    return rt.session->live.states.remembered && !rt.host->evidence && !debugging.keeps_registers;
}

/* The table grows with the number of versions. Entries that are at wrong places then are learned
 * again. */
static uint32_t places(void) {
    static uint32_t count;
    if (count == 0)
        memory_map(KNOWN_BASE, PLACES_MAX * sizeof(struct known));
    if (count == 0)
        count = PLACES_FIRST;
    while (count < PLACES_MAX && count < 8 * versions_count())
        count *= 2;
    return count;
}

static struct known *place_of(const struct known *step) {
    uint64_t hash = ((uint64_t)step->before[0] << 32 | step->before[1]) * 0x9e3779b97f4a7c15u;
    hash ^= ((uint64_t)step->before[2] << 32 | step->before[3]) * 0xc2b2ae3d27d4eb4fu;
    return (struct known *)KNOWN_BASE + (hash >> 32) % places();
}

static bool is_same(const struct known *a, const struct known *b) {
    for (uint32_t i = 0; i < PARTS_MAX; i++)
        if (a->before[i] != b->before[i])
            return false;
    return a->numbering == b->numbering;
}

static void add_part(struct parts *parts, uint32_t id) {
    for (uint32_t i = 0; i < parts->count; i++)
        if (parts->ids[i] == id)
            return;
    parts->ids[parts->count++] = id;
}

/* Returns false if there are too many. */
static bool add_monitors(struct parts *parts) {
    if (parts->count + monitors_count() > PARTS_MAX)
        return false;
    for (uint32_t i = 0; i < monitors_count(); i++)
        add_part(parts, monitor_id(i));
    return true;
}

/* Finds the slots that take part in the step before which the machine stands. Returns false if
 * such steps are not kept. */
static bool find_parts(uint32_t id, struct parts *parts) {
    const struct op *op = &task_at(id)->op;
    bool sends = op->kind == OP_SEND, announces = op->kind == OP_ANNOUNCE;
    parts->count = 0;
    add_part(parts, id);
    if (sends && op->receiver == NO_TASK)
        return false;
    if (sends)
        add_part(parts, op->receiver);
    if (announces || (sends && op->monitors != 0))
        return add_monitors(parts);
    return sends || op->kind == OP_RECEIVE;
}

static void describe(const struct parts *parts, struct known *step) {
    *step = (struct known){.numbering = slots_numbering()};
    for (uint32_t i = 0; i < parts->count; i++)
        step->before[i] = slot_version(parts->ids[i]);
}

/* --- making a known step -------------------------------------------------------------------- */

static void record(uint32_t id, const struct op *op, const struct known *step) {
    struct event *event = rt.host->ops->event(rt.host, id, op);
    event->op.order = step->order;
    event->op.size = step->size;
    event->op.target = step->target;
    event->op.value = step->value;
    event->flags = step->flags;
    rt.host->ops->happened(rt.host, event);
}

static void become(const struct parts *parts, const uint32_t *versions) {
    for (uint32_t i = 0; i < parts->count; i++)
        slot_become(parts->ids[i], versions[i]);
    rt.host->ops->expect(rt.host, slots_total());
    for (uint32_t i = 0; i < parts->count; i++)
        slot_publish_again(parts->ids[i]);
}

/* Returns false if no machine could move afterwards, which may be the end of the program. Then
 * the step is made, so that monitors see the end. */
static bool apply(const struct parts *parts, const struct known *step) {
    uint32_t id = parts->ids[0];
    const struct op op = task_at(id)->op;
    become(parts, step->after);
    if (machines_stand()) {
        become(parts, step->before);
        return false;
    }
    record(id, &op, step);
    return true;
}

static bool is_part(const struct parts *parts, uint32_t id) {
    for (uint32_t i = 0; i < parts->count; i++)
        if (parts->ids[i] == id)
            return true;
    return false;
}

/* A machine that takes no part in the step can move before and after it. */
static bool another_can_move(const struct parts *parts) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        uint32_t id = live_tasks.ids[i];
        if (machine_readiness[id] == READY_NOW && !is_part(parts, id))
            return true;
    }
    return false;
}

bool known_foresee(uint32_t id, struct fingerprint *out) {
    struct parts parts;
    struct known step;
    if (!is_on() || !find_parts(id, &parts))
        return false;
    describe(&parts, &step);
    const struct known *known = place_of(&step);
    if (!is_same(known, &step) || !another_can_move(&parts))
        return false;
    slots_foresee(parts.ids, known->after, parts.count, out);
    return true;
}

static bool audit_is_due(void) {
    static uint32_t steps;
    return ++steps % AUDIT_EVERY == 0;
}

bool known_step(uint32_t id) {
    struct parts parts;
    struct known step;
    under_way.expected = NULL;
    if (!is_on() || !find_parts(id, &parts))
        return false;
    describe(&parts, &step);
    const struct known *known = place_of(&step);
    if (!is_same(known, &step))
        return false;
    if (audit_is_due()) {
        under_way.expected = known;
        return false;
    }
    if (!apply(&parts, known))
        return false;
    progress.moved = id;
    rt.host->ops->next(rt.host, NULL);
    return true;
}

/* --- learning ------------------------------------------------------------------------------- */

void known_begin(uint32_t id) {
    const struct execution *execution = rt.session->live.current;
    under_way.wanted = is_on() && find_parts(id, &under_way.parts);
    if (!under_way.wanted)
        return;
    describe(&under_way.parts, &under_way.step);
    under_way.events = execution->event_count;
    under_way.decisions = execution->decision_count;
    under_way.slots = slots_versions(under_way.versions);
}

/* The step had one event and no choice, and no other slot has changed. */
static bool is_plain(void) {
    const struct execution *execution = rt.session->live.current;
    return progress.outcome == OUTCOME_RUNNING && execution->event_count == under_way.events + 1 &&
           execution->decision_count == under_way.decisions &&
           slots_differ_only(under_way.versions, under_way.slots, under_way.parts.ids,
                             under_way.parts.count);
}

static void describe_outcome(struct known *step) {
    const struct event *event = &rt.session->live.current->events[under_way.events];
    for (uint32_t i = 0; i < under_way.parts.count; i++)
        step->after[i] = slot_version(under_way.parts.ids[i]);
    step->order = event->op.order;
    step->size = event->op.size;
    step->target = event->op.target;
    step->value = event->op.value;
    step->flags = (uint16_t)event->flags;
}

static bool has_versions(const struct known *step) {
    for (uint32_t i = 0; i < under_way.parts.count; i++)
        if (step->before[i] == NO_VERSION || step->after[i] == NO_VERSION)
            return false;
    return true;
}

static bool is_as_expected(const struct known *step) {
    const struct known *expected = under_way.expected;
    for (uint32_t i = 0; i < PARTS_MAX; i++)
        if (step->after[i] != expected->after[i])
            return false;
    return step->target == expected->target && step->value == expected->value &&
           step->flags == expected->flags;
}

/* The machine has a state that is not in its slot. */
static void complain(void) {
    struct session *session = rt.session;
    snprintf(session->result.difference.text, sizeof session->result.difference.text,
             "machine %u has reacted differently to the same event in the same state: it uses "
             "memory that is not its own",
             under_way.parts.ids[0]);
    progress.outcome = OUTCOME_ERROR;
}

void known_learn(void) {
    struct known *step = &under_way.step;
    if (!under_way.wanted)
        return;
    bool plain = is_plain();
    if (plain)
        describe_outcome(step);
    bool audited = under_way.expected != NULL && progress.outcome == OUTCOME_RUNNING;
    if (audited && !(plain && is_as_expected(step)))
        complain();
    else if (plain && has_versions(step))
        *place_of(step) = *step;
}
