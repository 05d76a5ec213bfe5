/* members.h - who did what in a strategy that is made of several (a portfolio). In the session. */
#ifndef ENGINE_MEMBERS_H
#define ENGINE_MEMBERS_H

#include <stdint.h>

enum { MEMBERS_MAX = 12, MEMBER_NAME = 48, MEMBER_NOTE = 100 };

struct member_row {
    char name[MEMBER_NAME]; /* "ses rtc" */
    char note[MEMBER_NOTE]; /* why it takes no part any more; empty: it does */
    uint64_t executions;    /* complete ones */
    uint64_t steps;         /* that were executed */
    uint64_t states;        /* that it has seen, if it remembers them */
    uint32_t findings;      /* that it was the first to have */
};

struct members {
    struct member_row rows[MEMBERS_MAX];
    uint32_t count;
    uint64_t executions, steps; /* of all rows */
    uint32_t winner;            /* row + 1 of who has explored everything; 0: nobody */
};

#endif
