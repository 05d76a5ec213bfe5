/* edits.h - small changes to a schedule that might leave it with fewer switches, tasks or steps.
 *
 * A schedule is a list of blocks; a block is the steps of one task in a row. First, whole stretches
 * of blocks are left out, shorter and shorter ones. Then each block in turn is changed in several
 * ways. It is left out together with all that its task does later. Its task runs on after it with
 * these later steps, or for as long as the task can. It is joined with the next block of its task,
 * at its own place or at that one. It loses its last steps. To see what comes of a change, the
 * changed schedule is followed. Rounds go on until one of them brings nothing. */
#ifndef STRATEGIES_MINIMISE_EDITS_H
#define STRATEGIES_MINIMISE_EDITS_H

#include "base/pool.h"
#include "strategies/minimise/way.h"

/* Decisions that are wished for: see follow.h. */
struct wishes {
    struct pool *pool; /* borrowed */
    struct decision *list;
    uint32_t count, capacity;
};

void wishes_init(struct wishes *wishes, struct pool *pool);

struct edits {
    uint32_t stretch; /* number of blocks left out at once; 0: the first pass is over */
    uint32_t block;   /* index of the block that is changed */
    uint32_t kind;    /* kind of the change */
    bool better;      /* this round has made the execution smaller */
};

void edits_begin(struct edits *edits);

/* Makes the next change to that execution, as wishes. Returns false if no change is left. */
bool edits_next(struct edits *edits, const struct execution *execution, const struct way *way,
                struct wishes *wishes);

/* The last change was good. The caller asks about the execution that came of it from now on. */
void edits_accept(struct edits *edits);

/* Wishes for the first `until` decisions, then for all later steps of that task, which moves on for
 * as long as it can, then for the rest. */
void edit_run_on(const struct execution *execution, const struct way *way, uint32_t until,
                 uint32_t task, struct wishes *wishes);

#endif
