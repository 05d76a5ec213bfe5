/* reported.h - a finding as the tool tells it: the one shape that all outputs see.
 *
 * The engine speaks of a finding in addresses (execution/finding.h). A trace has the names, and the
 * whole schedule with them (trace/trace.h). A reported finding keeps the few facts that outputs
 * need after the trace is gone. */
#ifndef REPORTS_REPORTED_H
#define REPORTS_REPORTED_H

#include "execution/evidence.h"
#include "execution/finding.h"
#include "reports/suppressions.h"
#include "trace/identity.h"
#include "trace/trace.h"

/* Texts are owned. Unknown texts are empty, unless NULL is allowed. */
struct reported {
    enum finding_kind kind;
    char fingerprint[IDENTITY_SIZE];
    uint32_t again;                    /* number of later findings with the same fingerprint */
    const struct suppression *because; /* the line that suppresses the finding; NULL: none does */
    char *message;
    char *function, *file; /* its place */
    uint32_t line;
    char *summary;            /* its SUMMARY line */
    struct evidence evidence; /* about the schedule that was reported */
    uint32_t switches;        /* context switches of that schedule */
    bool passing;             /* the trace has a passing schedule beside it */
    char *wrote;              /* the last lines that the program wrote; NULL: none */

    /* The trace does not know the rest. */
    char *trace;    /* the file that holds the trace; NULL: none */
    char *report;   /* the text on the terminal, without colours; NULL: no output needs it */
    char *found_by; /* the member of the strategy; NULL: the strategy has no members */
    int32_t delays; /* of the execution; -1: not counted */
};

struct reported_list {
    struct reported *at;
    uint32_t count;
};

/* Appends a finding with all that the trace knows about it. The result is valid until the next
 * call. */
struct reported *reported_add(struct reported_list *list, const struct trace *trace);

/* The finding with this fingerprint, or NULL. */
struct reported *reported_named(const struct reported_list *list, const char *fingerprint);

void reported_destroy(struct reported_list *list);

#endif
