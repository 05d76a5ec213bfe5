/* foretell.h - what is known of steps that were made before: the inside of known.c and learn.c. */
#ifndef NATIVE_MACHINE_FORETELL_H
#define NATIVE_MACHINE_FORETELL_H

#include "substrates/native/machines/content.h"

enum { PARTS_MAX = 2 + MACHINE_MONITORS_MAX };

/* The slots that a step may change: those of the machine that moves, of its receiver, and of the
 * monitors that look on. The receiver may be the machine itself. */
struct parts {
    uint32_t ids[PARTS_MAX];
    uint32_t count;
    uint32_t receiver, monitors; /* the index of the receiver, and of the first monitor */
};

/* What a step leaves behind. */
struct foretold {
    struct stand stands[PARTS_MAX];
    struct known_event event;
};

/* Whether steps are learned, and known steps are not made. */
bool foretell_is_on(void);

/* Finds the slots that take part in the step before which the machine stands. Returns false if
 * such steps are not kept. */
bool parts_find(uint32_t id, struct parts *parts);
static inline void parts_look(const struct parts *parts, struct stand *stands) {
    for (uint32_t i = 0; i < parts->count; i++)
        stands[i] = slot_stand(parts->ids[i]);
}
/* Returns false if there was no room for one of them. */
bool have_numbers(const struct stand *stands, uint32_t count);
/* To whom a message is sent, as monitors see it; 0: to nobody. */
static inline uint32_t parts_receiver(const struct parts *parts, bool sends) {
    return sends ? parts->ids[parts->receiver] : 0;
}

/* Says what the step of the machine does. Returns false if that is not known. */
bool foretell(uint32_t id, const struct parts *parts, struct foretold *foretold);

/* Where the outcome of a delivery is kept, by the stands before it. NULL: the receiver halts, but
 * is still there. What becomes of the event is not kept then. */
struct delivery *delivery_of(const struct parts *parts, const struct stand *stands, bool sends);

/* --- reactions --- */

enum { TO_ITSELF = UINT32_MAX, WITH_QUEUE = UINT32_MAX - 1 };

struct reaction_key {
    uint32_t version; /* 0: there is no reaction in this place of the table */
    uint32_t what;    /* the event, or the whole queue (WITH_QUEUE) */
    /* TO_ITSELF, WITH_QUEUE; or to whom the event was sent that a monitor sees */
    uint32_t receiver;
    uint64_t numbering; /* the numbers of all machines, as a hash */
};

struct known_reaction {
    struct reaction_key key;
    struct stand after; /* the queue counts only behind a reaction WITH_QUEUE */
    struct known_event event;
};

void reaction_keep(const struct known_reaction *reaction);

#endif
