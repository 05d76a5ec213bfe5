/* omissions.h - what a run did not do: the part of its verdict that a reader would otherwise take
 * for granted.
 *
 * Each kind is a row of omissions.def. An omission that applies to a run has a clause for the first
 * line and for the JSON. judge.c derives the verdict from them. */
#ifndef ENGINE_JUDGE_OMISSIONS_H
#define ENGINE_JUDGE_OMISSIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options;
struct result;
struct strategy_info;

enum omission_kind {
#define OMISSION(kind, clause, name, weight) OMISSION_##kind,
#include "engine/judge/omissions.def"
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

enum { OMISSION_TEXT = 480 };

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

/* The run that is judged. All pointers are borrowed. */
struct judged {
    const struct strategy_info *strategy;
    const struct options *options;
    const struct result *result;
};

/* The reason why the search ended early: "--timeout". */
const char *omissions_ended_by(const struct judged *run);

void omissions_find(struct omissions *omissions, const struct judged *run);

bool omissions_have(const struct omissions *omissions, enum omission_kind kind);
/* Whether the only omissions that count as bounds are code that Heddle could not see. Then the
 * verdict names no bound. */
bool omissions_only_unseen(const struct omissions *omissions);
enum omission_weight omissions_weight(const struct omissions *omissions);

#endif
