/* object.c - the state of synchronisation objects, kept beside the program's memory.
 *
 * The program's memory holds a mark in the first word of an object that we know. Memory without it is
 * an object that was initialised statically, or whose memory was used for something else since: a new
 * object. The mark does not depend on the schedule. Everything here is forgotten between executions. */
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "substrates/native/runtime.h"

enum { BUCKETS = 1024, SCRATCH_KEPT = 1 << 20 };
#define SCRATCH_SIZE ((uint64_t)16 << 30)
#define MARK 0x6865646cu

static struct object *buckets[BUCKETS];
static uint64_t stamps[BUCKETS], stamp = 1; /* a bucket of an earlier stamp is empty */
static struct object *newest;
static char *scratch;
static uint64_t scratch_used;

void *scratch_room(size_t size) {
    if (scratch == NULL)
        scratch = memory_map(0, SCRATCH_SIZE);
    size = (size + 15) & ~(size_t)15;
    CHECK(size <= SCRATCH_SIZE - scratch_used);
    void *block = scratch + scratch_used;
    scratch_used += size;
    return block;
}

void *scratch_alloc(size_t size) {
    return memset(scratch_room(size), 0, size);
}

void scratch_reset(void) {
    if (scratch_used > SCRATCH_KEPT)
        memory_discard((uint64_t)scratch, (uint64_t)scratch + scratch_used);
    scratch_used = 0;
}

void objects_reset(void) {
    stamp++;
    newest = NULL;
}

const struct object *objects_newest(void) {
    return newest;
}

static struct object **bucket_of(uint64_t address) {
    uint32_t at = (uint32_t)((address >> 2) * 0x9e3779b97f4a7c15u >> 54);
    if (stamps[at] != stamp) {
        stamps[at] = stamp;
        buckets[at] = NULL;
    }
    return &buckets[at];
}

static struct object *lookup(uint64_t address) {
    struct object *object = *bucket_of(address);
    while (object != NULL && object->address != address)
        object = object->next;
    return object;
}

struct object *object_new(struct task *task, void *address, enum object_type type, uint64_t pc) {
    struct object *object = lookup((uint64_t)address);
    task->effects++;
    if (object == NULL) {
        struct object **bucket = bucket_of((uint64_t)address);
        object = scratch_alloc(sizeof *object);
        object->next = *bucket;
        object->older = newest;
        *bucket = newest = object;
    }
    *object = (struct object){.address = (uint64_t)address,
                              .type = type,
                              .owner = NO_TASK,
                              .next = object->next,
                              .older = object->older,
                              .made_at = pc};
    *(uint32_t *)address = MARK;
    return object;
}

/* That its memory was freed is worse than what it was used for. */
static _Noreturn void misused(struct task *task, void *address, uint64_t pc, const char *how) {
    if (in_heap((uint64_t)address))
        heap_check(task, (uint64_t)address, 1, true, pc);
    found(task, FINDING_MISUSE, (uint64_t)address, pc, "%s", how);
}

/* It lies in memory of the heap that nobody has written since malloc: no initialiser has been there. */
static bool never_initialised(const void *address) {
    return in_heap((uint64_t)address) && *(const uint32_t *)address == HEAP_FILL * 0x01010101u;
}

struct object *object_at(struct task *task, void *address, enum object_type type, uint64_t pc,
                         bool *fresh) {
    struct object *object = *(uint32_t *)address == MARK ? lookup((uint64_t)address) : NULL;
    *fresh = object == NULL;
    if (object == NULL && never_initialised(address))
        misused(task, address, pc, "use of an object that was never initialised");
    if (object == NULL)
        return object_new(task, address, type, pc);
    if (object->destroyed)
        misused(task, address, pc, "use of a destroyed object");
    if (object->type != type)
        misused(task, address, pc, "the object is of another type");
    return object;
}

static bool holds(const struct task *task, const struct object *object) {
    if (object->destroyed || object->type > OBJECT_SPIN || object->type == OBJECT_COND)
        return false;
    if (object->owner == task->id)
        return true;
    const struct object_item *item = object->type == OBJECT_RWLOCK ? object->items : NULL;
    while (item != NULL && item->value != task->id)
        item = item->next;
    return item != NULL;
}

struct object *object_held_by(const struct task *task, uint64_t rank) {
    struct object *last = NULL;
    for (uint32_t at = 0; at < BUCKETS; at++)
        for (struct object *object = stamps[at] == stamp ? buckets[at] : NULL; object != NULL;
             object = object->next)
            if (holds(task, object) && object->sequence < rank &&
                (last == NULL || object->sequence > last->sequence))
                last = object;
    return last;
}

struct object_item *object_push(struct object *object, uint64_t value) {
    struct object_item *item = scratch_alloc(sizeof *item);
    item->value = value;
    item->sequence = object->sequence;
    if (object->items == NULL)
        object->items = item;
    else
        object->items_tail->next = item;
    object->items_tail = item;
    return item;
}

uint64_t object_remove(struct object *object, struct object_item *item) {
    struct object_item **link = &object->items, *before = NULL;
    while (*link != item) {
        before = *link;
        link = &before->next;
    }
    *link = item->next;
    if (object->items_tail == item)
        object->items_tail = before;
    return item->value;
}

/* What decides about what can happen: no places of our own, nothing that only counts. */
static struct fingerprint object_fingerprint(const struct object *object) {
    const struct {
        uint64_t address;
        uint32_t type, destroyed, owner, count, kind, waiters;
        uint64_t rank;
    } facts = {object->address,   object->type,
               object->destroyed, object->owner,
               object->count,     object->kind,
               object->waiters,   object->type == OBJECT_MUTEX ? object->sequence : 0};
    struct fingerprint one = {0};
    fingerprint_add(&one, &facts, sizeof facts);
    for (const struct object_item *item = object->items; item != NULL; item = item->next)
        fingerprint_add_number(&one, item->value);
    return one;
}

void objects_fingerprint(struct fingerprint *out) {
    for (const struct object *object = newest; object != NULL; object = object->older) {
        struct fingerprint one = object_fingerprint(object);
        fingerprint_merge(out, &one);
    }
}

uint64_t object_behind(uint64_t pointer) {
    if (pointer - (uint64_t)scratch >= scratch_used)
        return 0;
    const struct object *object = newest;
    while (object != NULL && (uint64_t)object != pointer)
        object = object->older;
    return object != NULL ? object->address : 0;
}

/* All of them stand in the scratch memory. */
void objects_write(struct image *image) {
    image_write_number(image, scratch_used);
    image_write(image, scratch, scratch_used);
    image_write_number(image, (uint64_t)newest);
}

void objects_read(struct image *image) {
    scratch_reset();
    scratch_used = image_read_number(image);
    image_read(image, scratch, scratch_used);
    newest = (struct object *)image_read_number(image);
    stamp++;
    for (struct object *object = newest; object != NULL; object = object->older) {
        struct object **bucket = bucket_of(object->address);
        object->next = *bucket;
        *bucket = object;
    }
}
