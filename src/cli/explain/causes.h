/* causes.h - the causes of branches (engine/branches.h), in names and source lines.
 *
 * The places are those where the operations are called. If the call is in a function of a library's
 * header that was not inlined (C++ without optimisation), the place is in the header, because no
 * stacks are recorded during the search. */
#ifndef CLI_CAUSES_H
#define CLI_CAUSES_H

#include "cli/names/collect.h"
#include "engine/branches.h"

/* All branches between the same two lines, about the same object or the same family of objects
 * ("a[...]", "heap"). */
struct cause {
    const char *object; /* its name; the family if there are several objects; "" if there is none */
    const char *family; /* the name without indices: "a[...]" for "a[3]" */
    const char *noun;   /* "atomic", "mutex", "atomic section", "choice" */
    const struct trace_frame *places[2]; /* NULL if unknown; for a choice, the second is NULL */
    const struct branch_row *row;        /* of all rows of the cause, the one with most branches */
    uint64_t count;
    op_set kinds; /* the kinds of all operations of the cause */
};

struct causes {
    const struct branches *branches; /* borrowed from the session; NULL: nothing is known */
    /* Not an execution: it holds the operations with their names. Two events for each row of `rows`
     * come first, then two for each note. */
    struct trace trace;
    const struct branch_row **rows; /* those with most branches first */
    uint32_t row_count;
    struct cause *list; /* those with most branches first */
    uint32_t count;
};

/* Computes the causes from the branches in the session, after the search. */
void causes_init(struct causes *causes, const struct collect_source *source);
void causes_destroy(struct causes *causes);

/* Return the first and the second event of a note. Their stacks are in causes->trace. */
const struct event *causes_first(const struct causes *causes, uint32_t note);
const struct event *causes_second(const struct causes *causes, uint32_t note);

/* Returns how many percent of all branches `count` branches are, rounded down. */
uint32_t causes_share(const struct causes *causes, uint64_t count);

/* Prints the cause: "counter (atomic), queue.c:31 with queue.c:40". */
void causes_print(const struct cause *cause, FILE *out);

/* Compares two places by file and line, for sorting. NULL comes last. */
int causes_compare_places(const struct trace_frame *a, const struct trace_frame *b);

/* Prints `before` and the place: ", queue.c:31". Prints nothing if the place is NULL. */
void causes_print_place(const struct trace_frame *place, const char *before, FILE *out);

#endif
