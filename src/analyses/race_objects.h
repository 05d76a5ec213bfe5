/* race_objects.h - the clocks of synchronisation objects, by address; made for one execution after the
 * other. Forgetting all of them costs nothing: what bears an older generation is not there. */
#ifndef ANALYSES_RACE_OBJECTS_H
#define ANALYSES_RACE_OBJECTS_H

#include "event/clock.h"

/* One address may have several clocks. */
enum object_part {
    PART_MAIN,
    PART_READERS,  /* of a read-write lock: what its readers released */
    PART_NUMBERED, /* + n: the n-th message of a mailbox, the n-th round of a barrier */
};

/* Of an atomic location: what this task's heads of release sequences have released (race_sequence.h). */
#define PART_HEADS(task) (((uint64_t)1 << 40) + (task))
/* The part with what annotations have released at an address: by the readers of a lock (+ 1), or otherwise. */
#define PART_ANNOTATED ((uint64_t)1 << 42)
/* Of an atomic location: its clock by the narrower rule of C++20, while `continued`. */
#define PART_NARROW ((uint64_t)1 << 41)

#define NO_RELEASER UINT32_MAX

struct race_object {
    uint64_t address, part;
    uint64_t generation;
    struct clock clock;
    /* The clock is what this task had released when its own component was `released_at`: who knows of
     * that knows all of it. NO_RELEASER: it is a mixture. */
    uint32_t releaser, released_at;
    uint32_t state; /* atomic: its size; rwlock: who writes + 1; barrier: the present round */
    /* Atomic: how many stores have ended release sequences here; PART_HEADS: at how many these heads are in
     * force. */
    uint32_t stores : 31;
    uint32_t continued : 1; /* atomic: by a store that ends the release sequence in C++20 */
};

struct race_objects {
    struct pool *pool; /* borrowed */
    struct race_object *slots;
    uint32_t capacity; /* a power of two */
    uint32_t shift;    /* 64 - log2(capacity) */
    uint32_t used;     /* of this generation */
    uint64_t generation;
};

void race_objects_init(struct race_objects *objects, struct pool *pool);

/* Forgets everything. */
void race_objects_clear(struct race_objects *objects);

void race_objects_write(const struct race_objects *objects, struct image *image);
void race_objects_read(struct race_objects *objects, struct image *image);

/* NULL if it is not there. Pointers hold until the next race_objects_get(). */
struct race_object *race_objects_find(const struct race_objects *objects, uint64_t address,
                                      uint64_t part);

/* There afterwards, with an empty clock if it is new. */
struct race_object *race_objects_get(struct race_objects *objects, uint64_t address, uint64_t part);

#endif
