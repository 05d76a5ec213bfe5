/* bound.h - the bounds that a search may have, beside the length of its executions. */
#ifndef ENGINE_BOUND_H
#define ENGINE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

struct options;

enum bound_kind {
    BOUND_NONE,
    BOUND_PREEMPTIONS,
    BOUND_DELAYS,
    BOUND_DIVERGENCES, /* steps that differ from what was explored before */
    BOUND_KINDS
};

struct bound {
    enum bound_kind kind;
    uint32_t limit; /* the most that an execution may have */
};

/* "preemptions". The option has the same name. */
const char *bound_name(enum bound_kind kind);

/* "1 preemption", "2 preemptions" */
const char *bound_text(struct bound bound, char text[32]);

/* Returns BOUND_NONE if no bound has this name. */
enum bound_kind bound_named(const char *name);

bool bound_given(const struct options *options, enum bound_kind kind);

/* The bound that the options ask for. There is at most one. */
struct bound bound_of(const struct options *options);

/* Replaces the bound in the options. */
void bound_set(struct options *options, struct bound bound);

#endif
