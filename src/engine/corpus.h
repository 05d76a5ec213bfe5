/* corpus.h - schedules that failed in earlier runs, which are followed before a search
 * (MODE_CORPUS, see strategies/corpus.c): the decisions to follow, and the results. In the
 * session. */
#ifndef ENGINE_CORPUS_H
#define ENGINE_CORPUS_H

#include "execution/execution.h"

struct corpus_entry {
    /* From the supervisor. Tasks have their numbers of this session. */
    const struct decision *wishes;
    const uint8_t *kinds; /* the kinds of the operations: see strategies/follow.h */
    uint32_t count;
    /* To the supervisor. */
    bool followed;    /* the schedule was tried */
    bool fails;       /* the execution showed a finding */
    bool ends;        /* the execution ended: it was neither cut off nor dropped by an assumption */
    uint32_t skipped; /* the number of decisions that did not fit and were skipped */
};

struct corpus {
    struct corpus_entry *entries;
    uint32_t count;
};

#endif
