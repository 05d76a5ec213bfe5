/* shelf.h - states to go on from later: first in, first out.
 *
 * What a search puts aside (001 calls it the frontier) can be most of what it has seen. So an entry is
 * stored as what distinguishes it from the entry before: the decisions behind those that both share, and
 * of the saved state the bytes that differ, part by part (image.h). Whoever takes them out rebuilds one
 * from the other. Memory that was read is written again.
 *
 * Images hold in the process that saved them, and in its layout of memory. Entries that were added before
 * shelf_forget_images() come out with their decisions alone. */
#ifndef ENGINE_SHELF_H
#define ENGINE_SHELF_H

#include "base/image.h"
#include "trace/execution.h"

/* What an entry says beside decisions, image and bytes. */
struct shelf_facts {
    uint32_t decisions; /* how many lead to it, */
    uint32_t saved_at;  /* so many of them to the state that was saved; at most as many */
    uint32_t events;    /* up to that state */
    uint32_t steps;     /* likewise */
};

/* An entry, as it was written or read last. */
struct shelf_entry {
    struct shelf_facts facts;
    struct image image;
    char *bytes; /* of the strategy; filled in when it is read */
    uint32_t byte_count, byte_capacity;
    char *parted; /* the same, as they are stored */
    uint32_t parted_capacity;
};

struct shelf_chunk;

struct shelf {
    struct pool *pool; /* borrowed */
    struct shelf_entry written, read, spare;
    uint32_t shared; /* decisions that the execution under way has in common with `written` */
    struct shelf_chunk *first, *last, *unused;
    char *scratch;
    uint32_t scratch_capacity;
    char *pairs; /* room for the strategy's bytes on their way in */
    uint32_t pair_capacity;
    uint32_t generation; /* of images */
    uint64_t count;      /* entries in it */
    uint64_t bytes;      /* memory that they take up */
};

void shelf_init(struct shelf *shelf, struct pool *pool, uint32_t image_limit);

/* The first facts->decisions of the execution; `image` NULL: could not be saved. */
void shelf_add(struct shelf *shelf, const struct shelf_facts *facts,
               const struct execution *execution, const struct image *image, const void *bytes,
               uint32_t byte_count);

/* The oldest one. Its decisions replace those of the execution, which must be the one that the last was
 * taken into, or behind. The image is NULL if it is of no use. Borrowed until the next call. */
const struct shelf_entry *shelf_take(struct shelf *shelf, struct execution *execution,
                                     struct image **image);

/* The execution under way has changed from this decision on. */
static inline void shelf_went_back(struct shelf *shelf, uint32_t decisions) {
    if (decisions < shelf->shared)
        shelf->shared = decisions;
}

void shelf_forget_images(struct shelf *shelf);

#endif
