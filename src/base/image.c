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

void *image_add_now(struct image *image, size_t size) {
    if (image->full || size > image->limit - image->used) {
        image->full = true;
        return NULL;
    }
    uint32_t used = image->used;
    image->used += image_rounded(size);
    image->bytes = pool_grow(image->pool, image->bytes, &image->capacity, (size_t)image->used, 1);
    return image->bytes + used;
}

void image_write(struct image *image, const void *from, size_t size) {
    char *room = image_add(image, size);
    if (room == NULL)
        return;
    if (size % 8 != 0) /* so that the bytes after it do not depend on older contents */
        *(uint64_t *)(room + image_rounded(size) - 8) = 0;
    bytes_copy(room, from, size);
}

void image_read(struct image *image, void *to, size_t size) {
    bytes_copy(to, image_skip(image, size), size);
}
