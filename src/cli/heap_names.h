/* heap_names.h - names of what stands in blocks of the heap.
 *
 * `ctx->lock` and `slots[3].lock`, if the block was assigned to `ctx` or `slots` where it was allocated, and the type of
 * that pointer fits the size of the block; else the place of the allocation and the offset: `heap(pool.c:31)+16`. A
 * name that is not certain is not given. Several blocks of one name are numbered by task, and in the order in which the task
 * allocated them: `node#2->lock`. */
#ifndef CLI_HEAP_NAMES_H
#define CLI_HEAP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/source.h"
#include "cli/symbols.h"
#include "trace/heap_blocks.h"

struct heap_names;

/* Names for the blocks of an execution, and of the one beside it (NULL: there is none). The first two arguments are
 * borrowed. A block at the same address is the same block: the first execution says what it is. */
struct heap_names *heap_names_create(struct symbols *symbols, struct source_files *files,
                                     const struct heap_blocks *blocks,
                                     const struct heap_blocks *others);
void heap_names_destroy(struct heap_names *names);

/* False if the address stands in none of the blocks. */
bool heap_names_name(const struct heap_names *names, uint64_t address, char *name, size_t size);

#endif
