/* causes.h - what made the search branch (engine/branches.h), in names and source lines.
 *
 * The places are where the operations are called. Of a call within a library's header that was not
 * inlined (C++ without optimisation) that is the header: no stacks are recorded while exploring. */
#ifndef CLI_CAUSES_H
#define CLI_CAUSES_H

#include "cli/collect.h"
#include "engine/branches.h"

/* Branches about one object, or several of a family ("a[...]", "heap"), by the same two lines. */
struct cause {
    const char *object;                  /* "" if it is about no one thing */
    const char *family;                  /* "a[...]" of "a[3]" */
    const char *noun;                    /* "atomic", "mutex", "atomic section", "choice" */
    const struct trace_frame *places[2]; /* NULL if unknown; of a choice, the second is NULL */
    const struct branch_row *row;        /* the largest of them */
    uint64_t count;
    op_set kinds; /* of the operations */
};

struct causes {
    const struct branches *branches; /* borrowed from the session; NULL: nothing is known */
    struct trace trace; /* names: its events are two a row, in `rows`, then two a note */
    const struct branch_row **rows; /* most branches first */
    uint32_t row_count;
    struct cause *list; /* most branches first */
    uint32_t count;
};

/* From the session as the program left it. */
void causes_init(struct causes *causes, const struct collect_source *source);
void causes_destroy(struct causes *causes);

/* The events of a note, with their stacks in causes->trace. */
const struct event *causes_first(const struct causes *causes, uint32_t note);
const struct event *causes_second(const struct causes *causes, uint32_t note);

/* Of all branches, in percent, rounded down. */
uint32_t causes_share(const struct causes *causes, uint64_t count);

/* "counter (atomic), queue.c:31 with queue.c:40" */
void causes_print(const struct cause *cause, FILE *out);

/* By file and line; NULL comes last. */
int causes_compare_places(const struct trace_frame *a, const struct trace_frame *b);

/* ", queue.c:31", or nothing. */
void causes_print_place(const struct trace_frame *place, const char *before, FILE *out);

#endif
