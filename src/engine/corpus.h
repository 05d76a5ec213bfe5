/* corpus.h - schedules that failed in earlier runs, to be followed before a search (MODE_CORPUS, see
 * strategies/corpus.c): the wishes, and what came of them. It stands in the session. */
#ifndef ENGINE_CORPUS_H
#define ENGINE_CORPUS_H

#include "trace/execution.h"

struct corpus_entry {
    /* From the supervisor: tasks by the numbers that they have in this session. */
    const struct decision *wishes;
    const uint8_t *kinds; /* of operations: see strategies/follow.h */
    uint32_t count;
    /* To it. */
    bool followed;    /* it was tried at all, */
    bool fails;       /* something was wrong, */
    bool ends;        /* or it came to its end: it was not cut off, or dropped by an assumption; */
    uint32_t skipped; /* and so many wishes did not fit */
};

struct corpus {
    struct corpus_entry *entries;
    uint32_t count;
};

#endif
