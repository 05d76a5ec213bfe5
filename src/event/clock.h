/* clock.h - vector clocks: how much each task knows of the others.
 *
 * A clock has one component for each task, counted from 1. Components from `count` on are 0. A
 * cleared clock keeps its memory, so that the clocks of one execution serve the next. The loops run
 * over whole blocks of CLOCK_BLOCK components, where unused ones are 0. So a clock of a few tasks
 * takes one or two vector instructions. */
#ifndef EVENT_CLOCK_H
#define EVENT_CLOCK_H

#include <stdbool.h>

#include "base/image.h"

enum { CLOCK_BLOCK = 8 };

struct clock {
    uint32_t *components;
    uint32_t count;    /* a multiple of CLOCK_BLOCK */
    uint32_t capacity; /* likewise; components from `count` on are undefined */
};

/* Makes room for `count` components. New components are 0. */
void clock_extend(struct clock *clock, struct pool *pool, uint32_t count);

void clock_destroy(struct clock *clock, struct pool *pool);

void clock_write(const struct clock *clock, struct image *image);
void clock_read(struct clock *clock, struct pool *pool, struct image *image);

static inline void clock_clear(struct clock *clock) {
    clock->count = 0;
}

static inline bool clock_empty(const struct clock *clock) {
    return clock->count == 0;
}

static inline uint32_t clock_get(const struct clock *clock, uint32_t task) {
    return task < clock->count ? clock->components[task] : 0;
}

static inline void clock_set(struct clock *clock, struct pool *pool, uint32_t task,
                             uint32_t value) {
    if (__builtin_expect(task >= clock->count, 0))
        clock_extend(clock, pool, task + 1);
    clock->components[task] = value;
}

/* The same on rows, whose length is a multiple of CLOCK_BLOCK. The components are compared as
 * signed numbers, which is faster. They never come near 2^31. The vectors are written out, because
 * compilers do not see that the length is such a multiple. */
typedef int32_t clock_four __attribute__((vector_size(16), aligned(4), may_alias));

static inline void clock_row_join(uint32_t *to, const uint32_t *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 4) {
        clock_four a = *(const clock_four *)(to + i), b = *(const clock_four *)(from + i);
        clock_four above = a > b;
        *(clock_four *)(to + i) = (a & above) | (b & ~above);
    }
}

static inline void clock_row_copy(uint32_t *to, const uint32_t *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 4)
        *(clock_four *)(to + i) = *(const clock_four *)(from + i);
}

static inline void clock_row_meet(uint32_t *to, const uint32_t *from, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 4) {
        clock_four a = *(const clock_four *)(to + i), b = *(const clock_four *)(from + i);
        clock_four above = a > b;
        *(clock_four *)(to + i) = (b & above) | (a & ~above);
    }
}

/* The number of components in which the first row is greater. */
static inline uint32_t clock_row_above(const uint32_t *a, const uint32_t *b, uint32_t count) {
    clock_four above = {0};
    for (uint32_t i = 0; i < count; i += 4)
        above -= *(const clock_four *)(a + i) > *(const clock_four *)(b + i);
    return (uint32_t)(above[0] + above[1] + above[2] + above[3]);
}

/* to := the componentwise maximum of both. */
static inline void clock_join(struct clock *to, struct pool *pool, const struct clock *from) {
    uint32_t count = from->count;
    if (__builtin_expect(to->count < count, 0))
        clock_extend(to, pool, count);
    clock_row_join(to->components, from->components, count);
}

static inline void clock_copy(struct clock *to, struct pool *pool, const struct clock *from) {
    uint32_t count = from->count;
    to->count = 0;
    if (__builtin_expect(to->capacity < count, 0))
        clock_extend(to, pool, count);
    to->count = count;
    clock_row_copy(to->components, from->components, count);
}

#endif
