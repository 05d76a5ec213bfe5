/* edits.h - small changes to a schedule that might leave it with fewer switches, tasks or steps.
 *
 * A schedule is a list of blocks: steps of one task in a row. First whole stretches of blocks are left
 * out, shorter and shorter ones; then each block in turn is left out with all that its task does later,
 * runs on with these steps, or for as long as it can, is joined with the next block of its task here
 * or there, or loses its last steps. What comes of a change is found out by following it. Rounds go on until one brings
 * nothing. */
#ifndef STRATEGIES_MINIMISE_EDITS_H
#define STRATEGIES_MINIMISE_EDITS_H

#include "base/pool.h"
#include "strategies/minimise/way.h"

/* Decisions that are wished for; see follow.h. */
struct wishes {
    struct pool *pool; /* borrowed */
    struct decision *list;
    uint32_t count, capacity;
};

void wishes_init(struct wishes *wishes, struct pool *pool);

struct edits {
    uint32_t stretch; /* blocks left out at once; 0: the first pass is over */
    uint32_t block;   /* where */
    uint32_t kind;    /* of change */
    bool better;      /* this round has brought something */
};

void edits_begin(struct edits *edits);

/* The next change to that execution, as wishes. False: none is left. */
bool edits_next(struct edits *edits, const struct execution *execution, const struct way *way,
                struct wishes *wishes);

/* The last one was good: the execution that is asked about from now on is the one that came of it. */
void edits_accept(struct edits *edits);

/* Its first `until` decisions, then all later steps of that task, which moves on for as long as it can, then the rest. */
void edit_run_on(const struct execution *execution, const struct way *way, uint32_t until,
                 uint32_t task, struct wishes *wishes);

#endif
