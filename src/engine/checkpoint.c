/* checkpoint.c - see checkpoint.h.
 *
 * Two kinds of states are saved: the state to which the strategy will come back for certain; and,
 * if the way to it is long, the middle of the way, the middle of the rest, and so on. So a strategy
 * that goes back by a few decisions repeats few of them, and a way of n decisions costs log n saved
 * states. Whether saving is worth the steps that it replaces is decided by the size of the state,
 * not by a clock. */
#include "engine/checkpoint.h"

#include "base/check.h"

enum {
    TOTAL_LIMIT = 128 << 20, /* memory for all checkpoints */
    STEPS_LEAST = 4,
    FAILURES_COUNTED = 10,
    BYTES_A_STEP = 16384, /* copied in about the time that a step takes */
};

void checkpoints_init(struct checkpoints *checkpoints, struct pool *pool, uint32_t most) {
    *checkpoints = (struct checkpoints){.pool = pool, .most = most, .due = CHECKPOINT_NEVER};
}

void checkpoints_forget(struct checkpoints *checkpoints) {
    checkpoints->count = 0;
    checkpoints->due = CHECKPOINT_NEVER;
}

struct checkpoint *checkpoints_here(struct checkpoints *checkpoints, uint32_t decisions) {
    if (checkpoints->count == 0)
        return NULL;
    struct checkpoint *last = &checkpoints->stack[checkpoints->count - 1];
    return last->decisions == decisions ? last : NULL;
}

struct checkpoint *checkpoints_latest(struct checkpoints *checkpoints, uint32_t decisions) {
    struct checkpoint *stack = checkpoints->stack;
    while (checkpoints->count > 0 && stack[checkpoints->count - 1].decisions > decisions)
        checkpoints->count--;
    return checkpoints->count > 0 ? &stack[checkpoints->count - 1] : NULL;
}

void checkpoints_plan(struct checkpoints *checkpoints, uint32_t now, uint32_t prefix,
                      bool returns) {
    uint32_t left = prefix - now, least = STEPS_LEAST + checkpoints->bytes / BYTES_A_STEP;
    checkpoints->due = CHECKPOINT_NEVER;
    if (checkpoints->pause > 0)
        checkpoints->pause--;
    else if (left / 2 >= least)
        checkpoints->due = now + left / 2;
    else if (returns && left > 0)
        checkpoints->due = prefix;
}

/* How many checkpoints there may be. */
static uint32_t room(const struct checkpoints *checkpoints) {
    uint32_t count = TOTAL_LIMIT / (checkpoints->bytes + 1);
    return count < checkpoints->most ? count : checkpoints->most;
}

/* Makes room by dropping every second checkpoint. Their memory is used again. */
static void thin_out(struct checkpoints *checkpoints) {
    struct checkpoint *stack = checkpoints->stack;
    for (uint32_t i = 1; 2 * i < checkpoints->count; i++) {
        struct checkpoint kept = stack[2 * i];
        stack[2 * i] = stack[i];
        stack[i] = kept;
    }
    checkpoints->count = (checkpoints->count + 1) / 2;
}

static void grow(struct checkpoints *checkpoints) {
    uint32_t before = checkpoints->capacity;
    checkpoints->stack = pool_grow(checkpoints->pool, checkpoints->stack, &checkpoints->capacity,
                                   (size_t)checkpoints->count + 1, sizeof *checkpoints->stack);
    for (uint32_t i = before; i < checkpoints->capacity; i++)
        image_init(&checkpoints->stack[i].image, checkpoints->pool, IMAGE_LIMIT);
}

struct checkpoint *checkpoints_push(struct checkpoints *checkpoints,
                                    const struct execution *execution) {
    if (checkpoints->count >= room(checkpoints))
        thin_out(checkpoints);
    if (checkpoints->count == checkpoints->capacity)
        grow(checkpoints);
    struct checkpoint *checkpoint = &checkpoints->stack[checkpoints->count++];
    checkpoint->decisions = execution->decision_count;
    checkpoint->events = execution->event_count;
    checkpoint->frames = execution->frame_count;
    checkpoint->texts = execution->text_count;
    checkpoint->skipped = execution->skipped;
    image_rewrite(&checkpoint->image);
    return checkpoint;
}

void checkpoints_saved(struct checkpoints *checkpoints) {
    checkpoints->bytes = checkpoints->stack[checkpoints->count - 1].image.used;
    checkpoints->failures = 0;
}

void checkpoints_pop(struct checkpoints *checkpoints) {
    CHECK(checkpoints->count > 0);
    checkpoints->count--;
}

void checkpoints_failed(struct checkpoints *checkpoints) {
    checkpoints_pop(checkpoints);
    checkpoints->due = CHECKPOINT_NEVER;
    if (checkpoints->failures < FAILURES_COUNTED)
        checkpoints->failures++;
    checkpoints->pause = 1u << checkpoints->failures;
}
