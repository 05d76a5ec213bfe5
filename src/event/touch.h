/* touch.h - the keys of an operation: what it touches (8 bytes of memory, an object, a task). Two
 * operations that depend on each other have a key in common, or one of them has the key of
 * everything. So keys find the candidates, and dependence.h decides. All functions are inline,
 * because they are called at every step. */
#ifndef EVENT_TOUCH_H
#define EVENT_TOUCH_H

#include "event/footprint.h"
#include "event/object.h"
#include "event/op.h"

#define TOUCH_ALL UINT64_MAX
#define TOUCH_OBJECT ((uint64_t)1 << 63)
#define TOUCH_TASK ((uint64_t)1 << 62)

_Static_assert((uint64_t)OBJECT_SPACES << OBJECT_SPACE_SHIFT <= TOUCH_TASK,
               "a key is an object, its space and what it is");

enum { TOUCH_KEYS = FOOTPRINT_GRANULES };
_Static_assert(TOUCH_KEYS >= UINT8_MAX / 8 + 3, "a size is a byte");

struct touch_keys {
    uint64_t keys[TOUCH_KEYS];
    uint32_t count;
};

/* Whether it depends on operations that touch something else. */
static inline bool touches_all(const struct op *op) {
    const struct op_info *info = op_info(op->kind);
    return info->class == CLASS_ALL && info->effect == EFFECT_WRITE;
}

static inline void touch_keys_of(const struct op *op, struct touch_keys *keys) {
    keys->count = 0;
    if (touches_all(op)) {
        keys->keys[keys->count++] = TOUCH_ALL;
        return;
    }
    switch (op_info(op->kind)->class) {
    case CLASS_MEMORY:
        for (uint64_t at = op->object / 8; at * 8 < op->object + op->size; at++)
            keys->keys[keys->count++] = at;
        break;
    case CLASS_OBJECT:
        keys->keys[keys->count++] = op->object | TOUCH_OBJECT;
        if (op->object2 != 0 && op->object2 != op->object)
            keys->keys[keys->count++] = op->object2 | TOUCH_OBJECT;
        break;
    case CLASS_TASK:
        if (op->target != NO_TASK)
            keys->keys[keys->count++] = op->target | TOUCH_TASK;
        if (op->object != 0)
            keys->keys[keys->count++] = op->object | TOUCH_OBJECT;
        if (op->object2 != 0)
            keys->keys[keys->count++] = op->object2 | TOUCH_OBJECT;
        break;
    case CLASS_NONE:
    case CLASS_ALL: break;
    }
}

#endif
