/* footprint.h - what an atomic section has touched: the bytes that it has read, and those that it
 * has written. Two sections whose footprints do not conflict can change places.
 *
 * A footprint is gathered while the section runs. It is not known in four cases:
 * - the section has not run yet
 * - it may run code whose accesses are not seen (op.unseen)
 * - it did more than access memory: it used a lock, made a choice, created a task
 * - it touched too many places, or no place at all
 * A section without a known footprint depends on everything. */
#ifndef EVENT_FOOTPRINT_H
#define EVENT_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

enum { FOOTPRINT_SPANS = 64, FOOTPRINT_GRANULES = 128 };

/* The bytes from `first` to `end` - 1. */
struct span {
    uint64_t first, end;
};

/* Sorted, with a gap between any two. */
struct spans {
    uint32_t count;
    struct span at[FOOTPRINT_SPANS];
};

/* A footprint in the making. */
struct gathering {
    struct spans read, written;
    bool unknown;
};

/* Two arrays in one: first the spans that were read, then those that were written. Both are sorted.
 * `granules` are the blocks of 8 bytes that were touched, each of them once. */
struct footprint {
    uint32_t read_count, written_count, granule_count;
    struct span *spans;
    uint64_t *granules;
};

struct event;

void gathering_begin(struct gathering *gathering);
void gathering_access(struct gathering *gathering, uint64_t address, uint64_t size, bool write);
/* Adds an operation within the section. */
void gathering_event(struct gathering *gathering, const struct event *event);
/* Returns whether the footprint is known, after the whole section. */
bool gathering_is_known(const struct gathering *gathering);
/* Writes the granules, FOOTPRINT_GRANULES at most, and returns their number. Returns 0 if there are
 * more, or if the footprint is not known. */
uint32_t gathering_granules(const struct gathering *gathering,
                            uint64_t granules[FOOTPRINT_GRANULES]);

/* Whether two footprints have a byte in common that at least one of them writes. */
bool footprints_conflict(const struct footprint *a, const struct footprint *b);
/* The same for a footprint and one access. */
bool footprint_meets(const struct footprint *footprint, uint64_t address, uint64_t size,
                     bool write);

#endif
