/* findings.h - findings of a run: each becomes a trace file and a report as soon as it appears. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli/collect.h"
#include "cli/progress.h"

/* What is remembered of one that was reported. Strings are owned. */
struct finding_note {
    enum finding_kind kind;
    char *message;
    char *function, *file;
    uint32_t line;
    int32_t delays;                 /* of its execution; -1: not counted */
    char found_by[MEMBER_NAME];     /* a member of the strategy; empty: it has none */
    char *trace;                    /* where it was written to, or NULL */
    char *summary;                  /* its SUMMARY line */
    struct trace_evidence evidence; /* of the schedule that was reported, */
    uint32_t switches;              /* and its context switches */
    bool passing;                   /* a passing one stands beside it */
};

struct findings {
    struct collect_source source;
    struct progress *progress;               /* borrowed */
    const struct session_finding *last_seen; /* in the session's list */
    struct finding_note *notes;
    uint32_t count;
};

/* `source->symbols` is made when the first finding needs it; the caller destroys it. */
void findings_init(struct findings *findings, const struct collect_source *source,
                   struct progress *progress);
void findings_destroy(struct findings *findings);

/* Whatever has come since the last look. */
void findings_take(struct findings *findings);

/* The symbols of the session's modules. */
struct symbols *findings_symbols(struct findings *findings);

#endif
