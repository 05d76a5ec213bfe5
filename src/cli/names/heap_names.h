/* heap_names.h - names for objects in blocks of the heap.
 *
 * An object is called `ctx->lock` or `slots[3].lock` if its block was assigned to `ctx` or `slots`
 * where it was allocated, and if the type of that pointer fits the size of the block. Otherwise its
 * name is the place of the allocation and the offset: `heap(pool.c:31)+16`. A name that is not
 * certain is not given. Several blocks with one name are numbered by task, in the order in which
 * the task allocated them: `node#2->lock`. */
#ifndef CLI_HEAP_NAMES_H
#define CLI_HEAP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/names/source.h"
#include "cli/names/symbols.h"
#include "execution/heap_blocks.h"

struct heap_names;

/* Makes names for the blocks of an execution, and of the passing one (or NULL). The first two
 * arguments are borrowed. Blocks at the same address are the same block, and the first execution
 * says what it is. */
struct heap_names *heap_names_create(struct symbols *symbols, struct source_files *files,
                                     const struct heap_blocks *blocks,
                                     const struct heap_blocks *others);
void heap_names_destroy(struct heap_names *names);

/* Returns false if the address is in none of the blocks. */
bool heap_names_name(const struct heap_names *names, uint64_t address, char *name, size_t size);

#endif
