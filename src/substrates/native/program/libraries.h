/* libraries.h - see libraries.c. */
#ifndef NATIVE_LIBRARIES_H
#define NATIVE_LIBRARIES_H

#include <link.h>
#include <stdbool.h>

/* Before main is taken over: loads the libraries of --libraries. */
void libraries_load(void);
/* Whether the module is one of them. */
bool libraries_has(const struct dl_phdr_info *info);
/* Whether the thread-local storage of a module is in blocks of the heap, not at the control
 * block of a thread. `number` is the position of the module in the order of loading. */
bool libraries_storage_apart(const struct dl_phdr_info *info, uint32_t number);
/* Whether there is such a module. */
bool libraries_storage_apart_at_all(void);
/* Moves the vector with the addresses of these blocks, for the thread with that control block,
 * to a page that is put back between executions. */
void libraries_move_vector(uint64_t control_block, uint64_t page);

#endif
