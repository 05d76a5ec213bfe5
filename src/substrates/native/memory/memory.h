/* memory.h - the memory to which every execution goes back (memory.c). */
#ifndef NATIVE_MEMORY_H
#define NATIVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fingerprint;
struct image;

/* Saves the state to which every execution goes back. `storage` is the size of the thread-local
 * storage before the first thread's control block. */
void memory_save(uint64_t storage);
/* Right after memory_restore: the state to go back to is now this one. */
void memory_save_again(void);
void memory_restore(void);
/* Executions start from saved memory. */
bool memory_is_saved(void);

/* This range is part of the saved memory from now on. Does nothing if no memory is saved. */
void memory_track(uint64_t start, uint64_t end);
/* A write to a page that is saved lazily. Returns true if the write can go on now. */
bool memory_fault(uint64_t address);
/* The kernel is about to write there for the program. It cannot wait for a fault, so the pages are
 * saved now. */
void memory_touch(void *start, size_t size);

void memory_write(struct image *image);
void memory_read(struct image *image);
void memory_fingerprint(struct fingerprint *out);

/* Memory of our own; `at` 0: anywhere. */
void *memory_map(uint64_t at, uint64_t size);
/* The range reads as zeros afterwards. */
void memory_discard(uint64_t start, uint64_t end);

#endif
