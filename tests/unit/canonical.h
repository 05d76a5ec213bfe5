/* canonical.h - one number for each Mazurkiewicz trace: two executions have the same canonical form
 * if they differ only in the order of independent steps. It is computed straight from the
 * definition, to judge searches that claim to explore one execution for each trace. */
#ifndef TESTS_UNIT_CANONICAL_H
#define TESTS_UNIT_CANONICAL_H

#include <stdbool.h>

#include "event/event.h"

enum { CANONICAL_MAX = 256, PARTS_MAX = 256 };

/* An access within an atomic section. */
struct part {
    uint64_t address;
    uint32_t step, size;
    bool write;
};

struct canonical {
    struct event events[CANONICAL_MAX]; /* one for each step */
    bool more[CANONICAL_MAX];           /* the step is a section that did more than access memory */
    struct part parts[PARTS_MAX];
    uint32_t count, part_count;
    bool observed; /* true while canonical_observed() runs */
};

void canonical_begin(struct canonical *canonical);
void canonical_add(struct canonical *canonical, const struct event *event);
/* Adds a plain access of the last step, which is an atomic section. */
void canonical_access(struct canonical *canonical, uint64_t address, uint32_t size, bool write);

/* `fatal` says that the last step ended the execution. */
uint64_t canonical_form(struct canonical *canonical, bool fatal);

/* The same for the coarser traces of seed 002, chapter 4: two stores to one place, or two messages
 * to one mailbox, are ordered only if something later shows their order. */
uint64_t canonical_observed(struct canonical *canonical, bool fatal);

#endif
