/* scratch.c - memory of ours for one execution. Blocks are handed out one after the other and
 * never freed. The next execution begins with none. */
#include "substrates/native/memory/scratch.h"

#include <string.h>

#include "base/check.h"
#include "base/image.h"
#include "substrates/native/memory/memory.h"

enum { SCRATCH_KEPT = 1 << 20, ALIGNMENT = 16 };
#define NO_MORE UINT64_MAX /* behind the roots of a saved state */
#define SCRATCH_SIZE ((uint64_t)16 << 30)

static char *scratch;
static uint64_t used;
static struct scratch_root *roots; /* in the order in which the process has used them first */
static struct scratch_root **roots_end = &roots;

void *scratch_room(size_t size) {
    if (scratch == NULL)
        scratch = memory_map(0, SCRATCH_SIZE);
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    CHECK(size <= SCRATCH_SIZE - used);
    void *block = scratch + used;
    used += size;
    return block;
}

void *scratch_alloc(size_t size) {
    return memset(scratch_room(size), 0, size);
}

void *scratch_at(struct scratch_root *root, size_t size) {
    if (!root->listed) {
        root->listed = true;
        *roots_end = root;
        roots_end = &root->next;
    }
    if (root->at == NULL)
        root->at = scratch_alloc(size);
    return root->at;
}

bool scratch_contains(uint64_t address) {
    return address - (uint64_t)scratch < used;
}

_Static_assert(SCRATCH_SIZE / ALIGNMENT <= UINT32_MAX, "a number of a block has 32 bits");

uint32_t scratch_number(const void *block) {
    return (uint32_t)(((uint64_t)block - (uint64_t)scratch) / ALIGNMENT);
}

void *scratch_block(uint32_t number) {
    return scratch + (uint64_t)number * ALIGNMENT;
}

static void discard(void) {
    if (used > SCRATCH_KEPT)
        memory_discard((uint64_t)scratch, (uint64_t)scratch + used);
    used = 0;
}

void scratch_reset(void) {
    discard();
    for (struct scratch_root *root = roots; root != NULL; root = root->next)
        root->at = NULL;
}

void scratch_write(struct image *image) {
    image_write_number(image, used);
    image_write(image, scratch, used);
    for (const struct scratch_root *root = roots; root != NULL; root = root->next)
        image_write_number(image, (uint64_t)root->at);
    image_write_number(image, NO_MORE);
}

/* Roots that were used first after the state was saved are NULL in that state. */
void scratch_read(struct image *image) {
    scratch_reset();
    used = image_read_number(image);
    image_read(image, scratch, used);
    for (struct scratch_root *root = roots; root != NULL; root = root->next) {
        uint64_t at = image_read_number(image);
        if (at == NO_MORE)
            return;
        root->at = (void *)at;
    }
    CHECK(image_read_number(image) == NO_MORE);
}
