/* race_section.c - see race_section.h.
 *
 * Each byte that a section has touched has two clocks: what the last writers have released, and
 * what the readers have. A section without a known footprint is ordered with all others. For this
 * there are two more clocks: that of all sections, and that of all sections without a footprint. */
#include "analyses/race_section.h"

#include "analyses/race_release.h"

/* No object of the program has this address. */
#define ALL_SECTIONS 1

enum { PART_ALL = PART_MAIN, PART_UNKNOWN = PART_READERS };

void race_section_init(struct race_section *section, struct pool *pool) {
    *section = (struct race_section){.pool = pool};
}

/* --- putting off ---------------------------------------------------------------------------- */

static void put_off(struct race_section *section, const struct put_off *what) {
    section->list = pool_grow(section->pool, section->list, &section->capacity,
                              (size_t)section->count + 1, sizeof *section->list);
    section->list[section->count++] = *what;
}

void race_section_begin(struct race_section *section, const struct event *event) {
    section->open = true;
    section->count = 0;
    section->task = event->task;
    gathering_begin(&section->gathering);
    gathering_event(&section->gathering, event);
}

void race_section_event(struct race_section *section, const struct event *event, uint32_t stack) {
    gathering_event(&section->gathering, event);
    put_off(section, &(struct put_off){.event = *event, .stack = stack});
}

void race_section_access(struct race_section *section, const struct put_off *access) {
    gathering_access(&section->gathering, access->address, access->size,
                     access->kind & ACCESS_WRITE);
    put_off(section, access);
}

/* --- order ---------------------------------------------------------------------------------- */

static void acquire(struct order *order, uint32_t task, uint64_t address, uint64_t part) {
    const struct race_object *object = race_objects_find(&order->objects, address, part);
    if (object != NULL)
        acquire_object(order, order_task(order, task), object);
}

static void acquire_spans(struct order *order, uint32_t task, const struct spans *spans,
                          uint64_t part) {
    for (uint32_t i = 0; i < spans->count; i++)
        for (uint64_t at = spans->at[i].first; at < spans->at[i].end; at++)
            acquire(order, task, at, part);
}

void race_section_acquire(const struct race_section *section, struct order *order) {
    const struct gathering *gathering = &section->gathering;
    uint32_t task = section->task;
    if (!gathering_is_known(gathering)) {
        acquire(order, task, ALL_SECTIONS, PART_ALL);
        return;
    }
    acquire(order, task, ALL_SECTIONS, PART_UNKNOWN);
    acquire_spans(order, task, &gathering->read, PART_WRITTEN);
    acquire_spans(order, task, &gathering->written, PART_WRITTEN);
    acquire_spans(order, task, &gathering->written, PART_READ);
}

static void release(struct order *order, uint32_t task, uint64_t address, uint64_t part) {
    struct race_object *object = race_objects_get(&order->objects, address, part);
    clock_join(&object->clock, order->pool, &order_task(order, task)->clock);
    object->releaser = NO_RELEASER;
}

static void release_spans(struct order *order, uint32_t task, const struct spans *spans,
                          uint64_t part) {
    for (uint32_t i = 0; i < spans->count; i++)
        for (uint64_t at = spans->at[i].first; at < spans->at[i].end; at++)
            release(order, task, at, part);
}

void race_section_release(const struct race_section *section, struct order *order) {
    const struct gathering *gathering = &section->gathering;
    uint32_t task = section->task;
    release(order, task, ALL_SECTIONS, PART_ALL);
    if (gathering_is_known(gathering)) {
        release_spans(order, task, &gathering->read, PART_READ);
        release_spans(order, task, &gathering->written, PART_WRITTEN);
    } else {
        release(order, task, ALL_SECTIONS, PART_UNKNOWN);
    }
    tick(order_task(order, task), task);
}
