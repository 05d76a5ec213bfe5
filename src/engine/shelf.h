/* shelf.h - states from which the search will go on later: first in, first out.
 *
 * A search can put aside most of the states that it has seen (001 calls them the frontier). So an
 * entry is stored as its difference from the entry before: the decisions after those that both
 * share, and the bytes of the saved state that differ, part by part (image.h). Entries are taken
 * out in the same order, so each can be rebuilt from the one before. The memory of entries that
 * were taken out is used again.
 *
 * A state that is taken out goes back into an execution with all its decisions, but without its
 * events; their number is in execution.skipped. A finding behind it is confirmed from the start, as
 * always.
 *
 * An image is valid only in the process that saved it, and in its layout of memory. Entries that
 * were added before shelf_forget_images() come out with their decisions alone. */
#ifndef ENGINE_SHELF_H
#define ENGINE_SHELF_H

#include "base/image.h"
#include "execution/execution.h"

/* The numbers that belong to an entry. */
struct shelf_facts {
    uint32_t decisions; /* the number of decisions that lead to the state */
    uint32_t saved_at;  /* the number of decisions that lead to the saved state; not larger */
    uint32_t events;    /* the number of events before the saved state */
    uint32_t steps;     /* the number of steps before the saved state */
};

/* The entry that was written or read last. */
struct shelf_entry {
    struct shelf_facts facts;
    struct image image;
    char *bytes; /* the strategy's bytes; filled in when the entry is read */
    uint32_t byte_count, byte_capacity;
    char *parted; /* the same bytes, in the order in which they are stored */
    uint32_t parted_capacity;
};

struct shelf_chunk;

struct shelf {
    struct pool *pool; /* borrowed */
    struct shelf_entry written, read, spare;
    /* the number of decisions that the execution under way shares with `written` */
    uint32_t shared;
    struct shelf_chunk *first, *last, *unused;
    uint32_t unused_count;
    char *scratch;
    uint32_t scratch_capacity;
    char *pairs; /* room in which the strategy's bytes are put in order */
    uint32_t pair_capacity;
    uint32_t generation; /* the generation of the images that are still valid */
    uint64_t count;      /* the number of entries */
    uint64_t bytes;      /* the memory that the entries take */
};

void shelf_init(struct shelf *shelf, struct pool *pool, uint32_t image_limit);

/* Adds a state that the first facts->decisions decisions of the execution lead to. `image` is NULL
 * if the state could not be saved. */
void shelf_add(struct shelf *shelf, const struct shelf_facts *facts,
               const struct execution *execution, const struct image *image, const void *bytes,
               uint32_t byte_count);

/* Takes the oldest entry. Its decisions replace those of the execution, which must begin with the
 * decisions of the entry that was taken last. The image is NULL if it is not valid any more. The
 * result is borrowed until the next call. */
const struct shelf_entry *shelf_take(struct shelf *shelf, struct execution *execution,
                                     struct image **image);

/* The execution under way has changed, from this decision on. */
static inline void shelf_went_back(struct shelf *shelf, uint32_t decisions) {
    if (decisions < shelf->shared)
        shelf->shared = decisions;
}

void shelf_forget_images(struct shelf *shelf);

#endif
