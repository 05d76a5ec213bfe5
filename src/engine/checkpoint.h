/* checkpoint.h - states that the execution under way has passed through, to go back to.
 *
 * An execution that repeats the decisions of the last one up to some point need not make them again if
 * the state there was saved: the latest checkpoint before that point is loaded, and the rest is executed.
 * They form a stack, by decisions; those behind the point are of no more use. */
#ifndef ENGINE_CHECKPOINT_H
#define ENGINE_CHECKPOINT_H

#include "base/image.h"
#include "trace/execution.h"

enum { CHECKPOINTS_MAX = 64, IMAGE_LIMIT = 16 << 20 };

struct checkpoint {
    struct image image;                        /* of the system, then of the analyses */
    uint32_t decisions, events, frames, texts; /* of the execution: so many were there, */
    uint32_t skipped;                          /* beside the events before these */
    uint32_t steps;
    bool branched;
};

struct checkpoints {
    struct pool *pool; /* borrowed */
    struct checkpoint *stack;
    uint32_t count, capacity;
    uint32_t most;     /* as many as there may be, memory permitting */
    uint32_t due;      /* a state with so many decisions is to be saved; CHECKPOINT_NEVER */
    uint32_t bytes;    /* of the last one that was saved */
    uint32_t pause;    /* so many executions go without, */
    uint32_t failures; /* since this often nothing could be saved */
};

#define CHECKPOINT_NEVER UINT32_MAX

void checkpoints_init(struct checkpoints *checkpoints, struct pool *pool, uint32_t most);

/* They belong to a process, or to a memory layout, that is no more. */
void checkpoints_forget(struct checkpoints *checkpoints);

/* The one of exactly this state, if the latest is; else NULL. */
struct checkpoint *checkpoints_here(struct checkpoints *checkpoints, uint32_t decisions);

/* The latest with at most so many decisions, or NULL. Later ones are dropped. */
struct checkpoint *checkpoints_latest(struct checkpoints *checkpoints, uint32_t decisions);

/* Says what is due: `now` decisions were made of the `prefix` that will be repeated. `returns`: so will
 * another execution. */
void checkpoints_plan(struct checkpoints *checkpoints, uint32_t now, uint32_t prefix, bool returns);

/* Room for the state at hand, as the latest one; its image is to be written, then it is said how that
 * went. */
struct checkpoint *checkpoints_push(struct checkpoints *checkpoints,
                                    const struct execution *execution);
void checkpoints_saved(struct checkpoints *checkpoints);
void checkpoints_failed(struct checkpoints *checkpoints);
void checkpoints_pop(struct checkpoints *checkpoints);

#endif
