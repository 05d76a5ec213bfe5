/* race_objects.c - see race_objects.h. Open addressing, linear probing; nothing is deleted within an
 * execution, so a slot of an older generation ends every probe. */
#include "analyses/race_objects.h"

enum { FIRST_SHIFT = 6 };

static void allocate(struct race_objects *objects, uint32_t log2_capacity) {
    objects->capacity = (uint32_t)1 << log2_capacity;
    objects->shift = 64 - log2_capacity;
    objects->used = 0;
    objects->slots = pool_alloc(objects->pool, (size_t)objects->capacity * sizeof *objects->slots);
}

void race_objects_init(struct race_objects *objects, struct pool *pool) {
    *objects = (struct race_objects){.pool = pool, .generation = 1};
    allocate(objects, FIRST_SHIFT);
}

void race_objects_clear(struct race_objects *objects) {
    objects->generation++;
    objects->used = 0;
}

/* The slot where it is, or where it would be. */
static struct race_object *slot_of(const struct race_objects *objects, uint64_t address,
                                   uint64_t part) {
    uint64_t hash = (address ^ part * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
    uint32_t mask = objects->capacity - 1, i = (uint32_t)(hash >> objects->shift);
    for (;; i = (i + 1) & mask) {
        struct race_object *slot = &objects->slots[i];
        if (slot->generation != objects->generation)
            return slot;
        if (slot->address == address && slot->part == part)
            return slot;
    }
}

/* The memory of old clocks goes back to the pool, that of the present ones moves with them. */
static void grow(struct race_objects *objects) {
    struct race_object *old = objects->slots;
    uint32_t old_capacity = objects->capacity;
    allocate(objects, 64 - objects->shift + 1);
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (old[i].generation != objects->generation) {
            clock_destroy(&old[i].clock, objects->pool);
            continue;
        }
        *slot_of(objects, old[i].address, old[i].part) = old[i];
        objects->used++;
    }
    pool_free(objects->pool, old, old_capacity * sizeof *old);
}

struct race_object *race_objects_find(const struct race_objects *objects, uint64_t address,
                                      uint64_t part) {
    struct race_object *slot = slot_of(objects, address, part);
    return slot->generation == objects->generation ? slot : NULL;
}

struct race_object *race_objects_get(struct race_objects *objects, uint64_t address,
                                     uint64_t part) {
    struct race_object *slot = slot_of(objects, address, part);
    if (slot->generation == objects->generation)
        return slot;
    if (objects->used * 2 >= objects->capacity) {
        grow(objects);
        slot = slot_of(objects, address, part);
    }
    objects->used++;
    slot->address = address;
    slot->part = part;
    slot->generation = objects->generation;
    slot->state = slot->stores = 0;
    slot->continued = false;
    slot->releaser = NO_RELEASER;
    clock_clear(&slot->clock);
    return slot;
}

/* All but the clock's memory. */
struct saved_object {
    uint64_t address, part;
    uint32_t releaser, released_at;
    uint32_t state, stores;
    bool continued;
};

void race_objects_write(const struct race_objects *objects, struct image *image) {
    image_write_number(image, objects->used);
    for (uint32_t i = 0; i < objects->capacity; i++) {
        const struct race_object *at = &objects->slots[i];
        if (at->generation != objects->generation)
            continue;
        struct saved_object saved = {at->address, at->part,   at->releaser, at->released_at,
                                     at->state,   at->stores, at->continued};
        image_write(image, &saved, sizeof saved);
        clock_write(&at->clock, image);
    }
}

void race_objects_read(struct race_objects *objects, struct image *image) {
    uint32_t count = (uint32_t)image_read_number(image);
    race_objects_clear(objects);
    for (uint32_t i = 0; i < count; i++) {
        struct saved_object saved;
        image_read(image, &saved, sizeof saved);
        struct race_object *object = race_objects_get(objects, saved.address, saved.part);
        object->releaser = saved.releaser;
        object->released_at = saved.released_at;
        object->state = saved.state;
        object->stores = saved.stores;
        object->continued = saved.continued;
        clock_read(&object->clock, objects->pool, image);
    }
}
