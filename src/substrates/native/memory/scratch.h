/* scratch.h - memory of ours for one execution (scratch.c). */
#ifndef NATIVE_SCRATCH_H
#define NATIVE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;

void *scratch_alloc(size_t size); /* zeroed */
void *scratch_room(size_t size);  /* not zeroed */

/* A static record of one execution. Its memory is saved and loaded with all scratch memory. */
struct scratch_root {
    void *at; /* NULL when an execution begins */
    struct scratch_root *next;
    bool listed;
};
/* root->at, which is made first if it is NULL: `size` bytes, zeroed. */
void *scratch_at(struct scratch_root *root, size_t size);

bool scratch_contains(uint64_t address);

/* A block has a number of 32 bits, which a table can hold. */
uint32_t scratch_number(const void *block);
void *scratch_block(uint32_t number);

void scratch_reset(void);
void scratch_write(struct image *image);
void scratch_read(struct image *image);

#endif
