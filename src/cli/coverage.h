/* coverage.h - which pairs of operations ran in both orders (engine/coverage.h), in names and source
 * lines: for the summary, and for the JSON result. */
#ifndef CLI_COVERAGE_H
#define CLI_COVERAGE_H

#include "cli/collect.h"
#include "cli/judge.h"
#include "engine/coverage.h"

/* Open pairs of the same kinds of operations on the same two lines. */
struct pair {
    const struct trace_frame *places[2]; /* NULL if unknown */
    const char *object;                  /* of one of them; "" if it has no name */
    uint64_t orders[2]; /* how often the first place came first, and how often the second */
    uint32_t tasks[2];  /* of one of them */
    uint8_t kinds[2];   /* enum op_kind */
};

struct pairs {
    const struct coverage *coverage; /* borrowed from the session; NULL: nothing is known */
    struct trace trace;              /* names */
    struct pair *list;               /* those that ran in one order first, then by their places */
    uint32_t count, both;
    bool final; /* everything was explored: an order that did not come cannot */
};

/* From the session as the program left it. `source` has symbols. */
void pairs_init(struct pairs *pairs, const struct collect_source *source,
                const struct judgement *judgement);
void pairs_destroy(struct pairs *pairs);

/* Lines for the summary. */
void pairs_print(const struct pairs *pairs, FILE *out);

#endif
