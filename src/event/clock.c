/* clock.c - see clock.h. */
#include "event/clock.h"

#include <string.h>

static uint32_t whole_blocks(uint32_t count) {
    return (count + CLOCK_BLOCK - 1) / CLOCK_BLOCK * CLOCK_BLOCK;
}

void clock_extend(struct clock *clock, struct pool *pool, uint32_t count) {
    count = whole_blocks(count);
    clock->components =
        pool_grow(pool, clock->components, &clock->capacity, count, sizeof *clock->components);
    memset(clock->components + clock->count, 0, (count - clock->count) * sizeof *clock->components);
    clock->count = count;
}

void clock_destroy(struct clock *clock, struct pool *pool) {
    pool_free(pool, clock->components, clock->capacity * sizeof *clock->components);
    *clock = (struct clock){0};
}

void clock_write(const struct clock *clock, struct image *image) {
    image_write_number(image, clock->count);
    uint32_t *room = image_add(image, clock->count * sizeof *clock->components);
    if (room != NULL)
        clock_row_copy(room, clock->components, clock->count);
}

void clock_read(struct clock *clock, struct pool *pool, struct image *image) {
    uint32_t count = (uint32_t)image_read_number(image);
    if (count == 0) {
        clock->count = 0;
        return;
    }
    clock->components =
        pool_grow(pool, clock->components, &clock->capacity, count, sizeof *clock->components);
    clock->count = count;
    clock_row_copy(clock->components, image_skip(image, count * sizeof *clock->components), count);
}
