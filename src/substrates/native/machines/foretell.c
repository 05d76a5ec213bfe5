/* foretell.c - see foretell.h.
 *
 * What a delivery does is kept with the version of its sender (struct delivery): the event goes to
 * the end of the queue of its receiver, if there is room, and nowhere if the receiver has halted.
 * What a reaction does is kept in a table of bounded size, in which a new reaction replaces an old
 * one. So it is not the common hash table (base/hash_table.h), which keeps all that it was given.
 * A machine that takes the first event, whatever it is, reacts to this event and not to its whole
 * queue. */
#include "substrates/native/machines/foretell.h"

#include "engine/session.h"
#include "event/op_kind.h"
#include "substrates/native/machines/queue.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/tasks/task.h"

#define KNOWN_BASE 0x3c0000000000u

enum { PLACES_FIRST = 1 << 10, PLACES_MAX = 1 << 14 };

/* --- reactions ------------------------------------------------------------------------------ */

static struct { uint32_t places, used; } table;

static struct known_reaction *place_of(const struct reaction_key *key) {
    uint64_t hash = ((uint64_t)key->version << 32 | key->what) * 0x9e3779b97f4a7c15u;
    hash ^= (key->numbering + key->receiver) * 0xc2b2ae3d27d4eb4fu;
    return (struct known_reaction *)KNOWN_BASE + ((hash >> 32) & (table.places - 1));
}

static bool same_key(const struct reaction_key *a, const struct reaction_key *b) {
    return a->version == b->version && a->what == b->what && a->receiver == b->receiver &&
           a->numbering == b->numbering;
}

static const struct known_reaction *find_reaction(uint32_t version, uint32_t what,
                                                  uint32_t receiver) {
    struct reaction_key key = {version, what, receiver, slots_numbering()};
    if (table.places == 0)
        return NULL;
    const struct known_reaction *reaction = place_of(&key);
    return same_key(&reaction->key, &key) ? reaction : NULL;
}

/* Entries that are at wrong places when the table has grown are learned again. */
static void make_room(void) {
    if (table.places == 0) {
        memory_map(KNOWN_BASE, PLACES_MAX * sizeof(struct known_reaction));
        table.places = PLACES_FIRST;
    }
    if (2 * table.used > table.places && table.places < PLACES_MAX)
        table.places *= 2;
}

void reaction_keep(const struct known_reaction *reaction) {
    make_room();
    struct known_reaction *place = place_of(&reaction->key);
    table.used += place->key.version == NO_VERSION;
    *place = *reaction;
}

/* --- who takes part ------------------------------------------------------------------------- */

bool foretell_is_on(void) {
    return rt.session->live.states.remembered && !rt.host->evidence && !debugging.keeps_registers;
}

/* Returns false if there are too many. */
static bool add_monitors(struct parts *parts) {
    if (parts->count + monitors_count() > PARTS_MAX)
        return false;
    for (uint32_t i = 0; i < monitors_count(); i++)
        parts->ids[parts->count++] = monitor_id(i);
    return true;
}

bool parts_find(uint32_t id, struct parts *parts) {
    const struct op *op = &task_at(id)->op;
    bool sends = op->kind == OP_SEND;
    parts->ids[0] = id;
    parts->count = 1;
    parts->receiver = 0;
    if (sends && op->receiver == NO_TASK)
        return false;
    if (sends && op->receiver != id) {
        parts->receiver = 1;
        parts->ids[parts->count++] = op->receiver;
    }
    parts->monitors = parts->count;
    if (op->kind == OP_ANNOUNCE || (sends && op->monitors != 0))
        return add_monitors(parts);
    return sends || op->kind == OP_RECEIVE;
}

bool have_numbers(const struct stand *stands, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (stands[i].version == NO_VERSION || stands[i].queue == NO_QUEUE)
            return false;
    return true;
}

/* --- what is known -------------------------------------------------------------------------- */

static bool foretell_monitors(const struct parts *parts, uint32_t message, uint32_t receiver,
                              struct foretold *foretold) {
    for (uint32_t i = parts->monitors; i < parts->count; i++) {
        const struct known_reaction *reaction =
            find_reaction(foretold->stands[i].version, message, receiver);
        if (reaction == NULL)
            return false;
        foretold->stands[i].version = reaction->after.version;
    }
    return true;
}

struct delivery *delivery_of(const struct parts *parts, const struct stand *stands, bool sends) {
    const struct content *to = content_at(stands[parts->receiver].version);
    bool gone = sends && to->standing == STANDS_GONE;
    if (sends && to->halted && !gone)
        return NULL;
    return &content_at(stands[0].version)->deliveries[gone];
}

static bool foretell_delivery(const struct parts *parts, bool sends, struct foretold *foretold) {
    struct stand *stands = foretold->stands, *to = &stands[parts->receiver];
    const struct delivery *delivery = delivery_of(parts, stands, sends);
    if (delivery == NULL || !delivery->known || delivery->numbering != slots_numbering())
        return false;
    if (delivery->most > 0) {
        if (queue_at(to->queue)->count >= delivery->most)
            return false;
        to->queue = queue_push(to->queue, delivery->message);
    }
    stands[0].version = delivery->after;
    foretold->event = delivery->event;
    return to->queue != NO_QUEUE &&
           foretell_monitors(parts, delivery->message, parts_receiver(parts, sends), foretold);
}

static bool foretell_reaction(struct foretold *foretold) {
    struct stand *stand = &foretold->stands[0];
    const struct known_reaction *reaction = NULL;
    bool takes_any = content_at(stand->version)->standing == STANDS_FOR_ANY;
    if (takes_any && queue_at(stand->queue)->count > 0)
        reaction = find_reaction(stand->version, queue_at(stand->queue)->first, TO_ITSELF);
    if (reaction != NULL) {
        *stand = (struct stand){reaction->after.version, queue_rest(stand->queue)};
    } else {
        reaction = find_reaction(stand->version, stand->queue, WITH_QUEUE);
        if (reaction == NULL)
            return false;
        *stand = reaction->after;
    }
    foretold->event = reaction->event;
    return stand->queue != NO_QUEUE;
}

bool foretell(uint32_t id, const struct parts *parts, struct foretold *foretold) {
    parts_look(parts, foretold->stands);
    if (!have_numbers(foretold->stands, parts->count))
        return false;
    if (task_at(id)->op.kind == OP_RECEIVE)
        return foretell_reaction(foretold);
    return foretell_delivery(parts, task_at(id)->op.kind == OP_SEND, foretold);
}
