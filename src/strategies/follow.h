/* follow.h - follows a list of decisions as far as it fits.
 *
 * A list that was recorded, then changed (or whose program was), is a list of wishes. A task that cannot
 * move, and a choice that does not come, are skipped and counted; where no wish is left, whoever moved
 * last goes on, and choices take their first option. So every list leads somewhere, and one that fits
 * is repeated exactly: nothing is skipped then.
 *
 * If it is known what each step did then (`kinds`), a program that was changed is followed better: a task
 * that is to move, but stands before something that it did not do then, does that first; what it did
 * then and does no longer is skipped. */
#ifndef STRATEGIES_FOLLOW_H
#define STRATEGIES_FOLLOW_H

#include "engine/system.h"

/* In place of the number of options: that task moves on for as long as it can. */
enum { FOLLOW_ON = 0 };

struct follow {
    const struct decision *wishes; /* borrowed */
    const uint8_t
        *kinds; /* borrowed, or NULL: of the operation of each, OP_KINDS if it is not known */
    uint32_t count;
    uint32_t position; /* the next wish */
    uint32_t skipped;  /* wishes that did not fit */
    uint32_t extra;    /* operations since the last wish, that did not come then */
};

void follow_begin(struct follow *follow, const struct decision *wishes, uint32_t count);

/* So many decisions were made already, all of them as wished. */
void follow_resume(struct follow *follow, uint32_t decisions);

/* The option of a choice that comes nearest to what is wished. */
uint32_t follow_pick(struct follow *follow, const struct choice *choice);

/* How many of the first wishes are the decisions of this execution. */
uint32_t follow_common(const struct decision *wishes, uint32_t count,
                       const struct execution *execution);

#endif
