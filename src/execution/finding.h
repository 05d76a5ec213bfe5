/* finding.h - a finding: an error of the tested program, as data. The kinds are a closed set in
 * finding_kinds.def. A finding has addresses; in a trace, they have names. */
#ifndef EXECUTION_FINDING_H
#define EXECUTION_FINDING_H

#include <stdint.h>

#include "event/op.h"

enum finding_kind {
#define FINDING(kind, name, title, facts, help) FINDING_##kind,
#include "execution/finding_kinds.def"
#undef FINDING
    FINDING_KINDS
};

struct finding_info {
    const char *name;  /* "data-race", in JSON and expectations */
    const char *title; /* the heading in reports: "data race" */
    const char *help;  /* its meaning and a hint, in sentences */
    bool goes_on;      /* the program can go on after it */
    bool races;        /* it shows plain accesses that nothing orders */
};

const struct finding_info *finding_info(enum finding_kind kind);
enum finding_kind finding_kind_named(const char *name); /* FINDING_KINDS if there is none */

enum { FINDING_TEXT = 240, FINDING_STACKS = 3, FINDING_WAITS = 32 };

/* One place that belongs to the finding: where it happened, the other access of a race, ... */
struct finding_stack {
    char title[48]; /* "write of 4 bytes" */
    uint32_t task;
    uint32_t stack; /* the index in the frames of the execution; 0: not recorded */
    uint64_t pc;
};

/* A blocked task of a deadlock. `holder` is the task that must move first, or NO_TASK. */
struct finding_wait {
    uint32_t task;
    uint32_t holder;
    struct op op;
    uint32_t stack;
};

struct finding {
    enum finding_kind kind;
    uint32_t task;
    uint32_t event; /* the number of events before it */
    char text[FINDING_TEXT];
    uint64_t object; /* the address in question, or 0 */
    /* the task was interrupted at any place, so the same finding may come at another place */
    bool place_varies;
    bool early; /* other tasks could have moved before it, and were not given the chance */
    uint32_t stack_count, wait_count;
    struct finding_stack stacks[FINDING_STACKS];
    struct finding_wait waits[FINDING_WAITS];
};

/* Two findings with equal signatures have the same kind and places: a person would call them the
 * same bug. */
uint64_t finding_signature(const struct finding *finding);

#endif
