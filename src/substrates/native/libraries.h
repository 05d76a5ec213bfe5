/* libraries.h - see libraries.c. */
#ifndef NATIVE_LIBRARIES_H
#define NATIVE_LIBRARIES_H

#include <link.h>
#include <stdbool.h>

/* Before main is taken over: those of --libraries. */
void libraries_load(void);
/* Whether it is one of them. */
bool libraries_has(const struct dl_phdr_info *info);
/* Whether the thread-local storage of the module, the how many-th that is loaded, is not at the control block of a
 * thread but in blocks of the heap. */
bool libraries_storage_apart(const struct dl_phdr_info *info, uint32_t number);
/* Whether there is such a module. */
bool libraries_storage_apart_at_all(void);
/* The vector that says where these blocks are, for the thread with that control block, moves to a page that is put back
 * between executions. */
void libraries_move_vector(uint64_t control_block, uint64_t page);

#endif
