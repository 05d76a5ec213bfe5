/* findings.h - the findings of a run. Each becomes a trace file and is given to the outputs as soon
 * as it appears, unless it is suppressed or has the same fingerprint (trace/identity.h) as an
 * earlier one. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli/names/collect.h"
#include "cli/outputs/outputs.h"
#include "cli/run/progress.h"
#include "reports/reported.h"

struct findings {
    struct collect_source source;
    struct progress *progress;               /* borrowed */
    struct outputs *outputs;                 /* borrowed */
    struct suppressions *suppressions;       /* borrowed */
    const struct session_finding *last_seen; /* the last finding of the session that was taken */
    uint64_t end_ms;                         /* when --timeout is over; 0: no timeout */
    uint32_t taken; /* number of the session's findings that were looked at */
    struct reported_list reported;
    struct reported_list suppressed;
};

/* `source->symbols` is made when the first finding needs it. */
void findings_init(struct findings *findings, const struct collect_source *source,
                   struct progress *progress, struct outputs *outputs,
                   struct suppressions *suppressions);
void findings_destroy(struct findings *findings);

/* Takes findings from this session from now on. */
void findings_turn_to(struct findings *findings, const struct session *session);

/* Takes all findings that have come since the last call. */
void findings_take(struct findings *findings);

/* The number of findings that were reported, or not yet taken. */
uint32_t findings_unsuppressed(const struct findings *findings);

/* The symbols of the session's modules. */
struct symbols *findings_symbols(struct findings *findings);

#endif
