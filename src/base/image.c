/* image.c - see image.h. */
#include "base/image.h"

#include "base/bytes.h"
#include "base/check.h"

void image_init(struct image *image, struct pool *pool, uint32_t limit) {
    *image = (struct image){.pool = pool, .limit = limit};
}

void image_rewrite(struct image *image) {
    image->used = image->part_count = 0;
    image->full = false;
}

void image_reread(struct image *image) {
    image->at = 0;
}

void image_part(struct image *image) {
    image->parts = pool_grow(image->pool, image->parts, &image->part_capacity,
                             (size_t)image->part_count + 1, sizeof *image->parts);
    image->parts[image->part_count++] = image->used;
}

static uint32_t rounded(size_t size) {
    return (uint32_t)((size + 7) & ~(size_t)7);
}

void image_write(struct image *image, const void *from, size_t size) {
    if (image->full || size > image->limit - image->used) {
        image->full = true;
        return;
    }
    image->bytes = pool_grow(image->pool, image->bytes, &image->capacity,
                             (size_t)image->used + rounded(size), 1);
    if (size % 8 != 0) /* so that the bytes after it do not depend on older contents */
        *(uint64_t *)(image->bytes + image->used + rounded(size) - 8) = 0;
    bytes_copy(image->bytes + image->used, from, size);
    image->used += rounded(size);
}

void image_read(struct image *image, void *to, size_t size) {
    CHECK(image->at + rounded(size) <= image->used);
    bytes_copy(to, image->bytes + image->at, size);
    image->at += rounded(size);
}

const void *image_skip(struct image *image, size_t size) {
    CHECK(image->at + rounded(size) <= image->used);
    const void *from = image->bytes + image->at;
    image->at += rounded(size);
    return from;
}
