/* race_objects.h - the clocks of synchronisation objects, by address. They are made for one
 * execution. Forgetting all of them costs nothing, and their clocks keep their memory for the next
 * execution. */
#ifndef ANALYSES_RACE_OBJECTS_H
#define ANALYSES_RACE_OBJECTS_H

#include "base/hash_table.h"
#include "event/clock.h"

/* One address may have several clocks. */
enum object_part {
    PART_MAIN,
    PART_READERS,  /* of a read-write lock: what its readers released */
    PART_NUMBERED, /* + n: the n-th message of a mailbox, the n-th round of a barrier */
};

/* For an atomic location: what this task's heads of release sequences have released
 * (race_sequence.h). */
#define PART_HEADS(task) (((uint64_t)1 << 40) + (task))
/* For a byte: what the atomic sections that have read, or written, it have released. */
#define PART_READ ((uint64_t)1 << 43)
#define PART_WRITTEN ((uint64_t)1 << 44)
/* What annotations have released at an address: by readers of a lock (+ 1), or otherwise. */
#define PART_ANNOTATED ((uint64_t)1 << 42)
/* For an atomic location: its clock by the narrower rule of C++20, while `continued` is set. */
#define PART_NARROW ((uint64_t)1 << 41)

#define NO_RELEASER UINT32_MAX

struct race_object {
    uint64_t address, part;
    struct clock clock;
    /* The clock is what this task had released when its own component was `released_at`. So a task
     * that knows this component knows the whole clock. NO_RELEASER: several tasks have released. */
    uint32_t releaser, released_at;
    uint32_t state; /* atomic: its size; rwlock: the writing task + 1; barrier: the present round */
    /* Atomic: how many stores have ended release sequences here. PART_HEADS: the number of such
     * stores at which these heads are in force. */
    uint32_t stores : 31;
    /* atomic: a store has ended the release sequence in C++20, but not in C11 */
    uint32_t continued : 1;
};

struct race_objects {
    struct pool *pool;         /* borrowed */
    struct race_object *list;  /* behind `count`, clocks of earlier executions */
    struct hash_table numbers; /* places in the list, by address and part */
    uint32_t count, capacity;
};

void race_objects_init(struct race_objects *objects, struct pool *pool);

/* Forgets everything. */
void race_objects_clear(struct race_objects *objects);

void race_objects_write(const struct race_objects *objects, struct image *image);
void race_objects_read(struct race_objects *objects, struct image *image);

/* Returns NULL if the object is not in the table. The pointer is valid until the next
 * race_objects_get(). */
struct race_object *race_objects_find(const struct race_objects *objects, uint64_t address,
                                      uint64_t part);

/* Finds the object, or inserts it with an empty clock. */
struct race_object *race_objects_get(struct race_objects *objects, uint64_t address, uint64_t part);

#endif
