/* collect.h - from the session's addresses to a trace that speaks in names. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include "cli/options.h"
#include "cli/program.h"
#include "cli/symbols.h"
#include "engine/session.h"
#include "trace/trace.h"

/* What was run, and how. */
struct collect_source {
    const struct session *session;
    struct symbols *symbols;
    const struct program *program;
    const struct run_options *options;
    char *const *arguments; /* argv of the program */
};

/* An execution of the session, to be made a trace of. */
struct collect_subject {
    const struct execution *execution;
    const struct finding *finding;   /* NULL: nothing is wrong */
    const struct execution *passing; /* the one beside it; NULL: none */
    uint64_t at_execution;
};

/* Fills `trace`, which the caller destroys. */
void collect_trace(struct trace *trace, const struct collect_source *source,
                   const struct collect_subject *subject);

/* "queue.c:12 in push" for an address, or "" for 0 and where nothing is known. */
enum { PLACE_SIZE = 512 };
const char *collect_place(struct symbols *symbols, uint64_t pc, char text[PLACE_SIZE]);

#endif
