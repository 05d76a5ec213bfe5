/* checkpoint.h - states that the execution under way has passed through, to go back to.
 *
 * An execution that repeats the decisions of the last one up to some point need not make them again
 * if the state there was saved: the latest checkpoint before that point is loaded, and the rest is
 * executed. So an execution costs what is new in it. Checkpoints form a stack, by decisions. Those
 * behind the point are of no more use.
 *
 * Some states cannot be saved: the program has a file open, or the image would be larger than
 * IMAGE_LIMIT. The way to such a state is executed again. --checkpoints=off does so always, and is
 * the check: the counts must be the same. */
#ifndef ENGINE_CHECKPOINT_H
#define ENGINE_CHECKPOINT_H

#include "base/image.h"
#include "execution/execution.h"

enum { CHECKPOINTS_MAX = 64, IMAGE_LIMIT = 16 << 20 };

struct checkpoint {
    struct image image;                        /* of the system, then of the analyses */
    uint32_t decisions, events, frames, texts; /* the number of each that the execution had */
    uint32_t skipped;                          /* the number of events before the recorded ones */
    uint32_t steps;
    bool branched;
};

struct checkpoints {
    struct pool *pool; /* borrowed */
    struct checkpoint *stack;
    uint32_t count, capacity;
    uint32_t most; /* the largest number of checkpoints, if there is enough memory */
    /* the number of decisions at which the next state is to be saved, or CHECKPOINT_NEVER */
    uint32_t due;
    uint32_t bytes;    /* the size of the last state that was saved */
    uint32_t pause;    /* the number of executions in which saving is not tried */
    uint32_t failures; /* how many times in a row a state could not be saved */
};

#define CHECKPOINT_NEVER UINT32_MAX

void checkpoints_init(struct checkpoints *checkpoints, struct pool *pool, uint32_t most);

/* Forgets all checkpoints, because their process has ended or its memory layout has changed. */
void checkpoints_forget(struct checkpoints *checkpoints);

/* The latest checkpoint if it is of exactly this state, else NULL. */
struct checkpoint *checkpoints_here(struct checkpoints *checkpoints, uint32_t decisions);

/* The latest checkpoint with at most this many decisions, or NULL. Later checkpoints are
 * dropped. */
struct checkpoint *checkpoints_latest(struct checkpoints *checkpoints, uint32_t decisions);

/* Plans the next checkpoint. `now` decisions were made, of the `prefix` that will be repeated.
 * `returns` means that another execution will come back to the end of the prefix. */
void checkpoints_plan(struct checkpoints *checkpoints, uint32_t now, uint32_t prefix, bool returns);

/* Makes room for the present state, as the latest checkpoint. The caller writes its image, and then
 * calls checkpoints_saved() or checkpoints_failed(). */
struct checkpoint *checkpoints_push(struct checkpoints *checkpoints,
                                    const struct execution *execution);
void checkpoints_saved(struct checkpoints *checkpoints);
void checkpoints_failed(struct checkpoints *checkpoints);
void checkpoints_pop(struct checkpoints *checkpoints);

#endif
