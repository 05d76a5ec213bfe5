/* object.c - the state of synchronisation objects, kept beside the program's memory.
 *
 * An object that we know has a mark in its first word, in the program's memory. Memory without
 * the mark is a new object: it was initialised statically, or was used for something else
 * meanwhile. The mark does not depend on the schedule. All objects are forgotten between
 * executions.
 *
 * The objects stand in scratch memory, which is saved with each state. The table that finds them
 * by their addresses is not saved. It is made anew when a state is read. */
#include "substrates/native/sync/object.h"

#include <stdint.h>
#include <string.h>

#include "base/hash_table.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/own_pool.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/task.h"
#include "base/fingerprint.h"
#include "base/image.h"

#define MARK 0x6865646cu

static struct hash_table numbers; /* of the blocks of the objects, by their addresses */
static struct object *newest;

static void forget_numbers(void) {
    if (numbers.pool == NULL)
        hash_table_init(&numbers, own_pool());
    else
        hash_table_clear(&numbers);
}

void objects_reset(void) {
    forget_numbers();
    newest = NULL;
}

const struct object *objects_newest(void) {
    return newest;
}

static struct object *lookup(uint64_t address) {
    const struct hash_slot *slot = hash_table_find(&numbers, address);
    return slot != NULL ? scratch_block(slot->value) : NULL;
}

struct object *object_new(struct task *task, void *address, enum object_type type, uint64_t pc) {
    struct object *object = lookup((uint64_t)address);
    task->effects++;
    if (object == NULL) {
        object = scratch_alloc(sizeof *object);
        object->older = newest;
        newest = object;
        hash_table_add(&numbers, (uint64_t)address, scratch_number(object));
    }
    *object = (struct object){.address = (uint64_t)address,
                              .type = type,
                              .owner = NO_TASK,
                              .older = object->older,
                              .made_at = pc};
    *(uint32_t *)address = MARK;
    return object;
}

/* If the memory was freed, this is the worse fault and is reported instead. */
static _Noreturn void misused(struct task *task, void *address, uint64_t pc, const char *how) {
    if (in_heap((uint64_t)address))
        heap_check(task, (uint64_t)address, 1, true, pc);
    found(task, FINDING_MISUSE, (uint64_t)address, pc, "%s", how);
}

/* The object lies in heap memory that was not written since malloc, so no initialiser has been
 * there. */
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

uint64_t object_rank(const struct object *object) {
    return object->type == OBJECT_MUTEX ? object->mutex.rank : 0;
}

/* The order of addresses does not depend on the schedule, as the order of the first uses does. */
static bool comes_later(const struct object *a, const struct object *b) {
    uint64_t rank_a = object_rank(a), rank_b = object_rank(b);
    return rank_a > rank_b || (rank_a == rank_b && a->address < b->address);
}

struct object *object_held_by(const struct task *task, uint64_t rank) {
    struct object *last = NULL;
    for (struct object *object = newest; object != NULL; object = object->older)
        if (holds(task, object) && object_rank(object) < rank &&
            (last == NULL || comes_later(object, last)))
            last = object;
    return last;
}

struct object_item *object_push(struct object *object, uint64_t value, uint64_t number) {
    struct object_item *item = scratch_alloc(sizeof *item);
    item->value = value;
    item->number = number;
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

enum { OWN_FACTS = 3 };

/* The facts of one type that decide what can happen. A counter that only grows is left out. */
static void own_facts(const struct object *object, uint64_t facts[OWN_FACTS]) {
    switch (object->type) {
    case OBJECT_MUTEX:
        facts[0] = object->mutex.count;
        facts[1] = object->mutex.kind;
        facts[2] = object->mutex.rank;
        break;
    case OBJECT_RWLOCK: facts[0] = object->rwlock.readers; break;
    case OBJECT_BARRIER:
        facts[0] = object->barrier.size;
        facts[1] = object->barrier.arrived;
        facts[2] = object->barrier.leaving;
        break;
    case OBJECT_SEM: facts[0] = object->sem.value; break;
    case OBJECT_ONCE: facts[0] = object->once.state; break;
    case OBJECT_COND:
    case OBJECT_SPIN:
    case OBJECT_MAILBOX: break;
    }
}

/* No addresses of our own records. */
static struct fingerprint object_fingerprint(const struct object *object) {
    struct {
        uint64_t address;
        uint32_t type, destroyed, owner, unused;
        uint64_t own[OWN_FACTS];
    } facts = {object->address, object->type, object->destroyed, object->owner, 0, {0}};
    struct fingerprint one = {0};
    own_facts(object, facts.own);
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
    if (!scratch_contains(pointer))
        return 0;
    const struct object *object = newest;
    while (object != NULL && (uint64_t)object != pointer)
        object = object->older;
    return object != NULL ? object->address : 0;
}

void objects_write(struct image *image) {
    image_write_number(image, (uint64_t)newest);
}

void objects_read(struct image *image) {
    newest = (struct object *)image_read_number(image);
    forget_numbers();
    for (struct object *object = newest; object != NULL; object = object->older)
        hash_table_add(&numbers, object->address, scratch_number(object));
}
