/* bound.h - what a search may be bounded by, beside the length of its executions. */
#ifndef ENGINE_BOUND_H
#define ENGINE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

struct options;

enum bound_kind {
    BOUND_NONE,
    BOUND_PREEMPTIONS,
    BOUND_DELAYS,
    BOUND_DIVERGENCES, /* from what was explored before */
    BOUND_KINDS
};

struct bound {
    enum bound_kind kind;
    uint32_t limit; /* of an execution */
};

/* "preemptions"; the option is called the same. */
const char *bound_name(enum bound_kind kind);

/* "1 preemption", "2 preemptions" */
const char *bound_text(struct bound bound, char text[32]);

/* BOUND_NONE if there is none of that name. */
enum bound_kind bound_named(const char *name);

bool bound_given(const struct options *options, enum bound_kind kind);

/* The one that the options ask for; there is at most one. */
struct bound bound_of(const struct options *options);

/* In place of the one that is there. */
void bound_set(struct options *options, struct bound bound);

#endif
