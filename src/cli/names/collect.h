/* collect.h - makes a trace with names from the addresses in a session. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include "cli/options/options.h"
#include "cli/supervise/program.h"
#include "cli/names/symbols.h"
#include "engine/session.h"
#include "trace/trace.h"

/* The program that was run, and how it was run. */
struct collect_source {
    const struct session *session;
    struct symbols *symbols;
    const struct program *program;
    const struct run_options *options;
    char *const *arguments; /* the argv of the program */
};

/* An execution of the session, which becomes a trace. */
struct collect_subject {
    const struct execution *execution;
    const struct finding *finding;   /* NULL if nothing is wrong */
    const struct execution *passing; /* the passing execution, or NULL */
    uint64_t at_execution;
};

/* Fills `trace`, which the caller destroys. */
void collect_trace(struct trace *trace, const struct collect_source *source,
                   const struct collect_subject *subject);

/* Writes "queue.c:12 in push" for an address, or "" for 0 or an unknown address. */
enum { PLACE_SIZE = 512 };
const char *collect_place(struct symbols *symbols, uint64_t pc, char text[PLACE_SIZE]);

#endif
