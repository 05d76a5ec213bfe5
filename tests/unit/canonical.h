/* canonical.h - one number for each Mazurkiewicz trace: two executions have the same canonical form if
 * they differ only in the order of independent steps. Straight from the definition, to judge searches
 * that claim to explore one execution a trace. */
#ifndef TESTS_UNIT_CANONICAL_H
#define TESTS_UNIT_CANONICAL_H

#include <stdbool.h>

#include "event/event.h"

enum { CANONICAL_MAX = 256 };

struct canonical {
    struct event events[CANONICAL_MAX]; /* a step each */
    uint32_t count;
    bool observed; /* canonical_observed() is under way */
};

void canonical_begin(struct canonical *canonical);
void canonical_add(struct canonical *canonical, const struct event *event);

/* `fatal`: the last step ended everything. */
uint64_t canonical_form(struct canonical *canonical, bool fatal);

/* The same where stores to one place, and messages to one mailbox, are in an order only if something
 * later shows it (seed 002, chapter 4). */
uint64_t canonical_observed(struct canonical *canonical, bool fatal);

#endif
