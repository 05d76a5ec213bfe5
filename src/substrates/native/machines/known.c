/* known.c - see known.h. What is known is in foretell.c; how it is learned, in learn.c. */
#include "substrates/native/machines/known.h"

#include "engine/session.h"
#include "event/op_kind.h"
#include "event/event.h"
#include "substrates/native/machines/foretell.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/task.h"

enum { AUDIT_EVERY = 4096, CHANGES = 1 << 11, CHANGED_PARTS = 3 };

/* --- making a known step -------------------------------------------------------------------- */

static void record(uint32_t id, const struct op *op, const struct known_event *known) {
    struct event *event = rt.host->ops->event(rt.host, id, op);
    event->op.order = known->order;
    event->op.size = known->size;
    event->op.target = known->target;
    event->op.value = known->value;
    event->flags = known->flags;
    rt.host->ops->happened(rt.host, event);
}

static void become(const struct parts *parts, const struct stand *stands) {
    for (uint32_t i = 0; i < parts->count; i++)
        slot_become(parts->ids[i], stands[i]);
    rt.host->ops->expect(rt.host, slots_total());
    for (uint32_t i = 0; i < parts->count; i++)
        slot_publish_again(parts->ids[i]);
}

/* Returns false if no machine could move afterwards, which may be the end of the program. Then
 * the step is made, so that monitors see the end. */
static bool apply(const struct parts *parts, const struct foretold *foretold) {
    uint32_t id = parts->ids[0];
    const struct op op = task_at(id)->op;
    struct stand before[PARTS_MAX];
    parts_look(parts, before);
    become(parts, foretold->stands);
    if (machines_stand()) {
        become(parts, before);
        return false;
    }
    record(id, &op, &foretold->event);
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

/* How a step changes the fingerprint, if the slots that take part stand like this. An entry fills a
 * line of the cache. If the first version is NO_VERSION, there is nothing in this place. */
struct change {
    _Alignas(64) struct stand stands[CHANGED_PARTS];
    uint64_t numbering; /* the numbers of all machines, as a hash */
    struct fingerprint by;
};

static struct change *change_of(const struct stand *stands, uint64_t numbering) {
    static struct change table[CHANGES];
    uint64_t hash = numbering;
    for (uint32_t i = 0; i < CHANGED_PARTS; i++)
        hash = (hash ^ ((uint64_t)stands[i].version << 32 | stands[i].queue)) * 0x9e3779b97f4a7c15u;
    return &table[(hash >> 32) % CHANGES];
}

static bool is_change(const struct change *change, const struct stand *stands, uint64_t numbering) {
    bool same = change->numbering == numbering && change->stands[0].version != NO_VERSION;
    for (uint32_t i = 0; i < CHANGED_PARTS; i++)
        same &= same_stand(change->stands[i], stands[i]);
    return same;
}

/* A version belongs to one slot, so the stands say whose step it is. */
static bool foresee(uint32_t id, const struct parts *parts, struct fingerprint *by) {
    struct stand stands[CHANGED_PARTS] = {{0, 0}};
    struct foretold foretold;
    struct change *change = NULL;
    uint64_t numbering = slots_numbering();
    if (parts->count <= CHANGED_PARTS) {
        parts_look(parts, stands);
        change = change_of(stands, numbering);
        if (is_change(change, stands, numbering)) {
            *by = change->by;
            return true;
        }
    }
    if (!foretell(id, parts, &foretold))
        return false;
    *by = slots_change(parts->ids, foretold.stands, parts->count);
    if (change != NULL) {
        __builtin_memcpy(change->stands, stands, sizeof stands);
        change->numbering = numbering;
        change->by = *by;
    }
    return true;
}

bool known_foresee(uint32_t id, struct fingerprint *out) {
    struct parts parts;
    struct fingerprint by;
    if (!foretell_is_on() || !parts_find(id, &parts) || !foresee(id, &parts, &by) ||
        !another_can_move(&parts))
        return false;
    *out = *slots_total();
    fingerprint_merge(out, &by);
    return true;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Now and then a known step is made, and compared (learn.c). */
static bool audit_is_due(void) {
    static uint32_t steps;
    return ++steps % AUDIT_EVERY == 0;
}

bool known_step(uint32_t id) {
    struct parts parts;
    struct foretold foretold;
    if (!foretell_is_on() || !parts_find(id, &parts) || !foretell(id, &parts, &foretold) ||
        audit_is_due() || !apply(&parts, &foretold))
        return false;
    progress.moved = id;
    rt.host->ops->next(rt.host, NULL);
    return true;
}
