/* heap.h - the program's heap (heap.c). */
#ifndef NATIVE_HEAP_H
#define NATIVE_HEAP_H

#include <stddef.h>

#include "substrates/native/layout.h"

struct fingerprint;
struct image;
struct task;

enum { HEAP_FILL = 0xbe }; /* each byte of fresh memory of malloc, but for large blocks */

static inline bool in_heap(uint64_t address) {
    return address - HEAP_BASE < HEAP_END - HEAP_BASE;
}

/* Returns if the task may touch these bytes of the heap; else this is a finding. */
void heap_check(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc);

/* Returns whether heap_check() would return. */
bool heap_is_live(uint64_t address, uint32_t size);

/* Whole pages of zeros, as a block of the heap. NULL with errno. */
void *heap_pages(size_t size, uint64_t pc);
/* Does nothing if the pages are only a part of a block. */
void heap_pages_free(void *pages, size_t size, uint64_t pc);

/* Blocks from before main stay. */
void heap_keep(void);
void heap_track(void);
void heap_restore(void);
void heap_write(struct image *image);
void heap_read(struct image *image);
void heap_fingerprint(struct fingerprint *out);

#endif
