/* follow.h - follows a list of decisions as far as it fits.
 *
 * If a recorded list, or its program, was changed since, its decisions are only wishes. A wish is
 * skipped and counted if its task cannot move, or its choice does not come. When no wish is left,
 * the task that moved last goes on, and choices take their first option. So every list leads
 * somewhere. A list that fits is repeated exactly, and nothing is skipped.
 *
 * If it is known what each step did in the recording (`kinds`), a changed program is followed
 * better. A task that is to move may stand before an operation that it did not make then: the task
 * makes that one first. An operation that it made then, and does not make any more, is skipped. */
#ifndef STRATEGIES_FOLLOW_H
#define STRATEGIES_FOLLOW_H

#include "engine/system.h"

/* In place of the number of options in a wish: the task moves on for as long as it can. */
enum { FOLLOW_ON = 0 };

struct follow {
    const struct decision *wishes; /* borrowed */
    /* borrowed, or NULL: the kind of each wish's operation, or OP_KINDS if that is not known */
    const uint8_t *kinds;
    uint32_t count;
    uint32_t position; /* index of the next wish */
    uint32_t skipped;  /* number of wishes that did not fit */
    uint32_t extra;    /* number of operations since the last wish that were not in the recording */
};

void follow_begin(struct follow *follow, const struct decision *wishes, uint32_t count);

/* Goes on after so many decisions, all of which were made as wished. */
void follow_resume(struct follow *follow, uint32_t decisions);

/* Returns the option of a choice that comes nearest to what is wished. */
uint32_t follow_pick(struct follow *follow, const struct choice *choice);

/* Returns how many of the first wishes are the decisions of this execution. */
uint32_t follow_common(const struct decision *wishes, uint32_t count,
                       const struct execution *execution);

#endif
