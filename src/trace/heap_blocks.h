/* heap_blocks.h - where the blocks of the heap came from that an execution used.
 *
 * Recorded only together with stacks, for the names of what stands in them (cli/heap_names.h). At first there is
 * every block that was allocated; when the execution is over, only those with an object of an event or of a finding are
 * kept, by their addresses: so by task, and in the order in which that task allocated them. */
#ifndef TRACE_HEAP_BLOCKS_H
#define TRACE_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

enum {
    HEAP_BLOCK_FRAMES = 16,     /* std::make_shared takes twelve */
    HEAP_BLOCKS_MAX = 16 << 10, /* of one execution; later ones are not recorded */
};

struct heap_block {
    uint64_t start, size;
    uint32_t depth;                  /* of the stack */
    bool used;                       /* an object of the execution stands in it */
    uint64_t pcs[HEAP_BLOCK_FRAMES]; /* the call stack of the allocation, innermost first */
};

struct heap_blocks {
    struct heap_block *items;
    uint32_t count, capacity;
};

struct execution;
struct finding;

void heap_blocks_add(struct execution *execution, const struct heap_block *block);

/* Keeps those in which an object of the execution's events, or of one of the findings, stands. */
void heap_blocks_keep_used(struct execution *execution, const struct finding *findings,
                           uint32_t finding_count);

/* The block in which the address stands, of those that were kept; NULL: none. */
struct heap_block *heap_blocks_find(const struct heap_blocks *blocks, uint64_t address);

#endif
