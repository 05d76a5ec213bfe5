/* image.h - a saved state: bytes that are written one after the other, and read back in that order, as
 * often as one likes. Its memory stays for the next state that is written into it.
 *
 * Whoever compares two images byte by byte (engine/shelf.h) wants to know where parts begin that grow and
 * shrink by themselves, such as a queue: the writer may say so by image_part(). */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include <stdbool.h>

#include "base/pool.h"

struct image {
    struct pool *pool; /* borrowed */
    char *bytes;
    uint32_t capacity;
    uint32_t used, at; /* written; read */
    uint32_t limit;
    bool full;       /* it would have been larger than the limit: of no use */
    uint32_t *parts; /* where each but the first begins, ascending */
    uint32_t part_count, part_capacity;
};

void image_init(struct image *image, struct pool *pool, uint32_t limit);
void image_rewrite(struct image *image);
void image_reread(struct image *image);

/* What is written from here on is compared with the part of the same number in another image. */
void image_part(struct image *image);

/* Sizes are rounded up to 8 inside, so that everything is aligned. */
void image_write(struct image *image, const void *from, size_t size);
void image_read(struct image *image, void *to, size_t size);
/* What would be read, where it stands. */
const void *image_skip(struct image *image, size_t size);

static inline void image_write_number(struct image *image, uint64_t number) {
    image_write(image, &number, sizeof number);
}

static inline uint64_t image_read_number(struct image *image) {
    uint64_t number;
    image_read(image, &number, sizeof number);
    return number;
}

#endif
