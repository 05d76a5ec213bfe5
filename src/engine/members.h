/* members.h - what each member of a portfolio has done. In the session. */
#ifndef ENGINE_MEMBERS_H
#define ENGINE_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

enum { MEMBERS_MAX = 12, MEMBER_NAME = 48, MEMBER_NOTE = 100 };

struct member_row {
    char name[MEMBER_NAME]; /* "ses rtc" */
    char note[MEMBER_NOTE]; /* why the member takes no part any more; empty: it takes part */
    uint64_t executions;    /* complete ones */
    uint64_t steps;         /* steps that it executed */
    uint64_t states;        /* states that it has seen, if it remembers states */
    uint32_t findings;      /* findings that it was the first to find */
};

struct members {
    struct member_row rows[MEMBERS_MAX];
    uint32_t count;
    uint64_t executions, steps; /* of all members */
    uint32_t winner; /* 1 + the row of the member that has explored everything; 0: none has */
};

/* The member that has explored everything, or NULL. */
static inline const struct member_row *members_winner(const struct members *members) {
    return members->winner > 0 ? &members->rows[members->winner - 1] : NULL;
}

/* 1 + the row of the member with this name, or 0. */
uint32_t members_row(const struct members *members, const char *name);

/* Adds what the members of another worker have done. A member still takes part if it does so in one
 * of the two, and has won only if it has won in both. */
void members_merge(struct members *into, const struct members *from);

#endif
