/* coverage.h - which pairs of operations ran in both orders (engine/coverage.h), in names and
 * source lines: for the summary, and for the JSON result. */
#ifndef CLI_COVERAGE_H
#define CLI_COVERAGE_H

#include "cli/names/collect.h"
#include "engine/judge/judge.h"
#include "engine/coverage.h"

/* Open pairs of the same kinds of operations on the same two lines. */
struct pair {
    const struct trace_frame *places[2]; /* NULL if unknown */
    const char *object;                  /* the object of one of them; "" if it has no name */
    /* how often the operation at the first place came first, and how often the other one */
    uint64_t orders[2];
    uint32_t tasks[2]; /* the tasks of one of them */
    uint8_t kinds[2];  /* enum op_kind */
};

struct pairs {
    const struct coverage *coverage; /* borrowed from the session; NULL: nothing is known */
    struct trace trace;              /* for names */
    struct pair *list;               /* pairs that ran in one order come first; then by place */
    uint32_t count, both;
    bool final; /* everything was explored, so an order that was not seen is impossible */
};

/* Computes the pairs from the session, as the program has left it. `source` has symbols. */
void pairs_init(struct pairs *pairs, const struct collect_source *source,
                const struct judgement *judgement);
void pairs_destroy(struct pairs *pairs);

/* Writes the lines for the summary. */
void pairs_print(const struct pairs *pairs, FILE *out);

#endif
