/* omissions.h - what a run did not do: the part of its verdict that a reader would otherwise take for granted.
 *
 * Each kind is a row of omissions.def. An omission that applies to a run has a clause for the first line and
 * for the JSON. judge.c makes the verdict of them. */
#ifndef CLI_OMISSIONS_H
#define CLI_OMISSIONS_H

#include "cli/supervise.h"
#include "engine/session.h"

enum omission_kind {
#define OMISSION(kind, clause, name, weight) OMISSION_##kind,
#include "cli/omissions.def"
#undef OMISSION
    OMISSIONS
};

enum omission_weight {
    WEIGHT_NONE,
    WEIGHT_NOTED,
    WEIGHT_BOUNDS,
    WEIGHT_UNDECIDED,
    WEIGHT_BUDGET,
};

enum { OMISSION_TEXT = 240 };

struct omission {
    enum omission_kind kind;
    char text[OMISSION_TEXT]; /* a clause: "3 of 7 executions are longer than 4 steps" */
};

/* In the order of the table, each kind at most once. */
struct omissions {
    struct omission list[OMISSIONS];
    uint32_t count;
};

const char *omission_name(enum omission_kind kind); /* in the JSON */
enum omission_weight omission_weight(enum omission_kind kind);

/* The facts from which the rows of the table are decided. */
struct omission_source {
    const struct supervision *supervision;
    uint32_t suppressed; /* findings that do not count */
    uint32_t reported;   /* findings that do */
};

/* The budget that has ended a search before its end. */
const char *omissions_ended_by(const struct supervision *supervision);

void omissions_find(struct omissions *omissions, const struct omission_source *source);

bool omissions_have(const struct omissions *omissions, enum omission_kind kind);
/* Whether all that weighs as a bound is code that could not be seen: then there is no bound to speak of. */
bool omissions_only_unseen(const struct omissions *omissions);
enum omission_weight omissions_weight(const struct omissions *omissions);

#endif
