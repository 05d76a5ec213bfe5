/* image.h - a saved state: bytes that are written one after the other, and can be read back in this
 * order any number of times. The memory is kept for the next state.
 *
 * Two images can be compared byte by byte (engine/shelf.h). Some parts of a state, for example a
 * queue, grow and shrink on their own. The writer says by image_part() where such a part begins. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include <stdbool.h>

#include "base/check.h"
#include "base/pool.h"

struct image {
    struct pool *pool; /* borrowed */
    char *bytes;
    uint32_t capacity;
    uint32_t used, at; /* the number of bytes written; the number of bytes read */
    uint32_t limit;
    bool full;       /* the image would be larger than its limit, and is of no use */
    uint32_t *parts; /* where each part but the first begins, ascending */
    uint32_t part_count, part_capacity;
};

void image_init(struct image *image, struct pool *pool, uint32_t limit);
void image_rewrite(struct image *image);
void image_reread(struct image *image);

/* Begins a part. It is compared with the part of the same number in another image. */
void image_part(struct image *image);

/* Sizes are rounded up to a multiple of 8, so that everything is aligned. */
void image_write(struct image *image, const void *from, size_t size);
void image_read(struct image *image, void *to, size_t size);

static inline uint32_t image_rounded(size_t size) {
    return (uint32_t)((size + 7) & ~(size_t)7);
}

/* Skips bytes, and returns their address. */
static inline const void *image_skip(struct image *image, size_t size) {
    CHECK(image->at + image_rounded(size) <= image->used);
    const void *from = image->bytes + image->at;
    image->at += image_rounded(size);
    return from;
}

/* Makes room for a piece behind those that were written, and returns its address, or NULL if the
 * image is full. The piece has the address until the next one is written. */
void *image_add_now(struct image *image, size_t size);

static inline void *image_add(struct image *image, size_t size) {
    uint32_t used = image->used, end = used + image_rounded(size);
    if (__builtin_expect(end > image->capacity || end > image->limit || image->full, 0))
        return image_add_now(image, size);
    image->used = end;
    return image->bytes + used;
}

static inline void image_write_number(struct image *image, uint64_t number) {
    uint64_t *room = image_add(image, sizeof number);
    if (room != NULL)
        *room = number;
}

static inline uint64_t image_read_number(struct image *image) {
    return *(const uint64_t *)image_skip(image, sizeof(uint64_t));
}

#endif
