/* dependence.c - see dependence.h. Pure functions of two operations.
 *
 * Memory: overlapping bytes, at least one a write. Objects: a shared object, unless both only read.
 * Tasks: create, join and detach of the same task. What writes CLASS_ALL conflicts with everything, also
 * with CLASS_NONE: any step may be the last one of its task, which a tryjoin sees; the end of the process
 * takes every other task's future away; a sleep is a cancellation point. What reads CLASS_ALL (a
 * cancellation point) sees only such writes. */
#include "event/dependence.h"

static bool overlap(const struct op *a, const struct op *b) {
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool shares_object(const struct op *a, const struct op *b) {
    if (a->object == b->object || a->object == b->object2)
        return true;
    return a->object2 != 0 && (a->object2 == b->object || a->object2 == b->object2);
}

static bool writes_all(const struct op_info *info) {
    return info->class == CLASS_ALL && info->effect == EFFECT_WRITE;
}

bool dependent(const struct op *a, const struct op *b) {
    const struct op_info *info_a = op_info(a->kind), *info_b = op_info(b->kind);
    if (writes_all(info_a) || writes_all(info_b))
        return true;
    if (info_a->class != info_b->class)
        return false;
    if (info_a->effect == EFFECT_READ && info_b->effect == EFFECT_READ)
        return false;
    switch (info_a->class) {
    case CLASS_MEMORY: return overlap(a, b);
    case CLASS_OBJECT: return shares_object(a, b);
    case CLASS_TASK: return a->target == b->target;
    case CLASS_NONE:
    case CLASS_ALL: return false;
    }
    return true;
}
