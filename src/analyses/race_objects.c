/* race_objects.c - see race_objects.h. */
#include "analyses/race_objects.h"

void race_objects_init(struct race_objects *objects, struct pool *pool) {
    *objects = (struct race_objects){.pool = pool};
    hash_table_init(&objects->numbers, pool);
}

void race_objects_clear(struct race_objects *objects) {
    hash_table_clear(&objects->numbers);
    objects->count = 0;
}

static uint64_t digest_of(uint64_t address, uint64_t part) {
    return address ^ part * 0xff51afd7ed558ccdu;
}

static struct race_object *find(const struct race_objects *objects, uint64_t digest,
                                uint64_t address, uint64_t part) {
    const struct hash_slot *slot = hash_table_find(&objects->numbers, digest);
    for (; slot != NULL; slot = hash_table_next(&objects->numbers, slot)) {
        struct race_object *object = &objects->list[slot->value];
        if (object->address == address && object->part == part)
            return object;
    }
    return NULL;
}

struct race_object *race_objects_find(const struct race_objects *objects, uint64_t address,
                                      uint64_t part) {
    return find(objects, digest_of(address, part), address, part);
}

struct race_object *race_objects_get(struct race_objects *objects, uint64_t address,
                                     uint64_t part) {
    uint64_t digest = digest_of(address, part);
    struct race_object *object = find(objects, digest, address, part);
    if (object != NULL)
        return object;
    objects->list = pool_grow(objects->pool, objects->list, &objects->capacity,
                              (size_t)objects->count + 1, sizeof *objects->list);
    hash_table_add(&objects->numbers, digest, objects->count);
    object = &objects->list[objects->count++];
    object->address = address;
    object->part = part;
    object->state = object->stores = 0;
    object->continued = false;
    object->releaser = NO_RELEASER;
    clock_clear(&object->clock);
    return object;
}

/* An object without the memory of its clock. */
struct saved_object {
    uint64_t address, part;
    uint32_t releaser, released_at;
    uint32_t state, stores;
    bool continued;
};

void race_objects_write(const struct race_objects *objects, struct image *image) {
    image_write_number(image, objects->count);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct race_object *at = &objects->list[i];
        struct saved_object *saved = image_add(image, sizeof *saved);
        if (saved == NULL)
            return;
        *saved = (struct saved_object){at->address, at->part,   at->releaser, at->released_at,
                                       at->state,   at->stores, at->continued};
        clock_write(&at->clock, image);
    }
}

void race_objects_read(struct race_objects *objects, struct image *image) {
    uint32_t count = (uint32_t)image_read_number(image);
    race_objects_clear(objects);
    for (uint32_t i = 0; i < count; i++) {
        const struct saved_object *saved = image_skip(image, sizeof *saved);
        struct race_object *object = race_objects_get(objects, saved->address, saved->part);
        object->releaser = saved->releaser;
        object->released_at = saved->released_at;
        object->state = saved->state;
        object->stores = saved->stores;
        object->continued = saved->continued;
        clock_read(&object->clock, objects->pool, image);
    }
}
