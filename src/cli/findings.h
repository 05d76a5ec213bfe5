/* findings.h - findings of a run: each becomes a trace file and a report as soon as it appears, unless
 * it is suppressed, or is the same bug (trace/identity.h) as one before. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli/collect.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "reports/suppressions.h"
#include "trace/identity.h"

/* What is remembered of one. Strings are owned. */
struct finding_note {
    enum finding_kind kind;
    char fingerprint[IDENTITY_SIZE];
    uint32_t again;                    /* so many more were the same */
    const struct suppression *because; /* it is suppressed; NULL: it was reported */
    char *message;
    char *function, *file;
    uint32_t line;
    int32_t delays;                 /* of its execution; -1: not counted */
    char found_by[MEMBER_NAME];     /* a member of the strategy; empty: it has none */
    char *trace;                    /* where it was written to, or NULL */
    char *summary;                  /* its SUMMARY line */
    char *report;                   /* without colours, if an output wants it; or NULL */
    struct trace_evidence evidence; /* of the schedule that was reported, */
    uint32_t switches;              /* and its context switches */
    bool passing;                   /* a passing one stands beside it */
    char *wrote;                    /* the last lines that the program wrote, or NULL */
};

struct findings {
    struct collect_source source;
    struct progress *progress;               /* borrowed, */
    struct outputs *outputs;                 /* too, */
    struct suppressions *suppressions;       /* and so are these */
    const struct session_finding *last_seen; /* in the session's list */
    uint64_t end_ms;                         /* of --timeout; 0: there is none */
    uint32_t taken;                          /* so many of them were looked at */
    struct finding_note *notes;              /* reported */
    uint32_t count;
    struct finding_note *suppressed;
    uint32_t suppressed_count;
};

/* `source->symbols` is made when the first finding needs it; the caller destroys it. */
void findings_init(struct findings *findings, const struct collect_source *source,
                   struct progress *progress, struct outputs *outputs,
                   struct suppressions *suppressions);
void findings_destroy(struct findings *findings);

/* The findings to come are those of this session. */
void findings_turn_to(struct findings *findings, const struct session *session);

/* Whatever has come since the last look. */
void findings_take(struct findings *findings);

/* Reported, or not even looked at. */
uint32_t findings_unsuppressed(const struct findings *findings);

/* For the summary: what was found again, what was suppressed by what, and, with `all`, which
 * suppressions nothing came of. */
void findings_print(const struct findings *findings, bool all, FILE *out);

/* The symbols of the session's modules. */
struct symbols *findings_symbols(struct findings *findings);

#endif
