/* minimised.h - the search for smaller executions with the same finding (MODE_MINIMISE): its
 * question, and its answer as far as it is known. In the session.
 *
 * A smaller execution counts only if the same finding comes, by finding_signature(). The budget is
 * a number of executions first, so that the result is the same each time; the clock is for programs
 * that are slow. */
#ifndef ENGINE_MINIMISED_H
#define ENGINE_MINIMISED_H

#include "execution/evidence.h"
#include "execution/execution.h"
#include "execution/finding.h"

enum { MINIMISED_ALL_TIME = 1000 };

struct minimised {
    /* From the supervisor. */
    struct finding target;  /* the finding that must come again */
    volatile uint32_t time; /* how much of the time is over, of MINIMISED_ALL_TIME */
    /* To the supervisor. These executions have stacks, and have come twice, event for event. */
    bool has_smallest, has_passing;
    struct finding finding;    /* the target, as the smallest execution shows it */
    struct execution smallest; /* the smallest execution that fails */
    struct execution passing;  /* the nearest execution that passes */
    struct evidence facts;
};

/* Keeps the smaller of the answers of two workers. Copies come from `pool`. */
void minimised_merge(struct minimised *into, const struct minimised *from, struct pool *pool);

#endif
