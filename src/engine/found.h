/* found.h - the findings of a search. */
#ifndef ENGINE_FOUND_H
#define ENGINE_FOUND_H

#include "execution/execution.h"
#include "execution/finding.h"

enum { FOUND_MAX = 1000 }; /* distinct findings that --keep-going collects */

/* A confirmed finding with the execution that shows it. */
struct session_finding {
    struct session_finding *next;
    struct finding finding;
    struct execution execution;
    bool unfinished; /* the strategy has left the execution at the finding */
    uint64_t at_execution;
    int32_t delays; /* the delays of the execution; -1: the strategy does not count them */
    /* 1 + the row of the member that found it, in struct members; 0: there are no members */
    uint32_t member;
};

struct found {
    struct session_finding *first; /* in the order in which they were found */
    struct session_finding *last;
    uint32_t count;
    bool lost; /* there were more findings than can be kept */
    /* From the supervisor, at the end. */
    uint32_t reported;   /* findings that count */
    uint32_t suppressed; /* findings that the user has suppressed */
};

/* Appends a finding, which is borrowed. */
void found_append(struct found *found, struct session_finding *added);

/* Appends a copy, unless the same finding is there already or there is no room. Returns the copy,
 * or NULL. */
struct session_finding *found_add(struct found *found, const struct session_finding *finding,
                                  struct pool *pool);

#endif
