/* finding.h - what is wrong with the tested program, as data. The kinds are a closed set in
 * finding_kinds.def. A finding speaks in addresses; the reader of the trace turns them into names. */
#ifndef TRACE_FINDING_H
#define TRACE_FINDING_H

#include <stdint.h>

#include "event/op.h"

enum finding_kind {
#define FINDING(kind, name, title, goes_on, help) FINDING_##kind,
#include "trace/finding_kinds.def"
#undef FINDING
    FINDING_KINDS
};

struct finding_info {
    const char *name;  /* "data-race", in JSON and expectations */
    const char *title; /* "data race", in reports */
    const char *help;  /* what it means, in sentences */
    bool goes_on;      /* the program can go on behind it */
};

const struct finding_info *finding_info(enum finding_kind kind);
enum finding_kind finding_kind_named(const char *name); /* FINDING_KINDS if there is none */

enum { FINDING_TEXT = 240, FINDING_STACKS = 3, FINDING_WAITS = 32 };

/* One place that belongs to the finding: where it happened, the other access of a race, ... */
struct finding_stack {
    char title[48]; /* "write of 4 bytes" */
    uint32_t task;
    uint32_t stack; /* into the execution's frames; 0: not recorded */
    uint64_t pc;
};

/* One blocked task of a deadlock. `holder` is who would have to move first, or NO_TASK. */
struct finding_wait {
    uint32_t task;
    uint32_t holder;
    struct op op;
    uint32_t stack;
};

struct finding {
    enum finding_kind kind;
    uint32_t task;
    uint32_t event; /* how many events had happened */
    char text[FINDING_TEXT];
    uint64_t object;   /* the address in question, or 0 */
    bool place_varies; /* interrupted anywhere: the same finding may show another place next time */
    bool early;        /* other tasks could have moved before it, and were not given the chance */
    uint32_t stack_count, wait_count;
    struct finding_stack stacks[FINDING_STACKS];
    struct finding_wait waits[FINDING_WAITS];
};

/* Equal for two findings that a person would call the same bug: kind and places. */
uint64_t finding_signature(const struct finding *finding);

#endif
