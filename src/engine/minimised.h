/* minimised.h - what becomes of a failing execution when smaller ones are looked for (MODE_MINIMISE): the
 * question, and the answer as far as it is known. It stands in the session. */
#ifndef ENGINE_MINIMISED_H
#define ENGINE_MINIMISED_H

#include "trace/trace.h"

enum { MINIMISED_ALL_TIME = 1000 };

struct minimised {
    /* From the supervisor. */
    struct finding target;  /* what must come again */
    volatile uint32_t time; /* so much of it is over, of MINIMISED_ALL_TIME */
    /* To it. Executions have stacks, and came again event for event before they are said to be there. */
    bool has_smallest, has_passing;
    struct finding finding;    /* the target, as the smallest execution shows it */
    struct execution smallest; /* that fails, */
    struct execution passing;  /* and the nearest one in which nothing is wrong */
    struct trace_evidence facts;
};

#endif
