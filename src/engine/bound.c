/* bound.c - see bound.h. */
#include "engine/bound.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "engine/options.h"

static const struct bound_info {
    const char *name, *one;
    size_t offset; /* of its limit in struct options; -1 there: no bound */
} infos[BOUND_KINDS] = {
    [BOUND_NONE] = {"none", "none", 0},
    [BOUND_PREEMPTIONS] = {"preemptions", "preemption", offsetof(struct options, preemptions)},
    [BOUND_DELAYS] = {"delays", "delay", offsetof(struct options, delays)},
    [BOUND_DIVERGENCES] = {"divergences", "divergence", offsetof(struct options, divergences)},
};

static int32_t *limit_in(const struct options *options, enum bound_kind kind) {
    return (int32_t *)((char *)options + infos[kind].offset);
}

const char *bound_name(enum bound_kind kind) {
    CHECK(kind < BOUND_KINDS);
    return infos[kind].name;
}

const char *bound_text(struct bound bound, char text[32]) {
    const struct bound_info *info = &infos[bound.kind];
    snprintf(text, 32, "%u %s", bound.limit, bound.limit == 1 ? info->one : info->name);
    return text;
}

enum bound_kind bound_named(const char *name) {
    enum bound_kind kind = BOUND_KINDS;
    while (--kind > BOUND_NONE && strcmp(infos[kind].name, name) != 0)
        ;
    return kind;
}

bool bound_given(const struct options *options, enum bound_kind kind) {
    return kind != BOUND_NONE && *limit_in(options, kind) >= 0;
}

struct bound bound_of(const struct options *options) {
    struct bound bound = {BOUND_NONE, 0};
    for (enum bound_kind kind = BOUND_NONE + 1; kind < BOUND_KINDS; kind++)
        if (bound_given(options, kind)) {
            CHECK(bound.kind == BOUND_NONE);
            bound = (struct bound){kind, (uint32_t)*limit_in(options, kind)};
        }
    return bound;
}

void bound_set(struct options *options, struct bound bound) {
    for (enum bound_kind kind = BOUND_NONE + 1; kind < BOUND_KINDS; kind++)
        *limit_in(options, kind) = kind == bound.kind ? (int32_t)bound.limit : -1;
}
