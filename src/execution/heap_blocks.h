/* heap_blocks.h - where the program allocated the blocks of the heap that an execution used.
 *
 * Blocks are recorded only together with stacks. They give names to objects in the heap
 * (cli/names/heap_names.h). At first all blocks are recorded. When the execution is over, only
 * those stay in which there is an object of an event or of a finding. They are sorted by address:
 * by task, and then in the order in which the task allocated them. */
#ifndef EXECUTION_HEAP_BLOCKS_H
#define EXECUTION_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

enum {
    HEAP_BLOCK_FRAMES = 16,     /* std::make_shared takes twelve */
    HEAP_BLOCKS_MAX = 16 << 10, /* in one execution; later blocks are not recorded */
};

struct heap_block {
    uint64_t start, size;
    uint32_t depth;                  /* the depth of the stack */
    bool used;                       /* it contains an object of the execution */
    uint64_t pcs[HEAP_BLOCK_FRAMES]; /* the call stack of the allocation, innermost first */
};

struct heap_blocks {
    struct heap_block *items;
    uint32_t count, capacity;
};

struct execution;
struct finding;

void heap_blocks_add(struct execution *execution, const struct heap_block *block);

/* Keeps the blocks that contain an object of the execution's events or of one of the findings. */
void heap_blocks_keep_used(struct execution *execution, const struct finding *findings,
                           uint32_t finding_count);

/* The kept block that contains the address, or NULL. */
struct heap_block *heap_blocks_find(const struct heap_blocks *blocks, uint64_t address);

#endif
