/* suppressions.h - known findings that the user does not want reported, from a file:
 *
 *     # a comment
 *     data-race:queue.c:31          a kind, and where: a file, or a line of it,
 *     deadlock:flush_*              a function, an object, or the message; * is any text
 *     *:third_party.c               any kind
 *     fingerprint:0123456789abcdef  this one
 *
 * A pattern must match a whole word, so that it does not suppress more than intended. A file may be
 * given without its first directories. A suppression applies if any frame of any stack of the
 * finding matches. */
#ifndef REPORTS_SUPPRESSIONS_H
#define REPORTS_SUPPRESSIONS_H

#include <stddef.h>

#include "trace/trace.h"

struct suppression {
    enum finding_kind kind; /* FINDING_KINDS: any kind */
    bool fingerprint;       /* the pattern is a fingerprint */
    char *pattern;
    char *text; /* the line, as it stands in the file */
    uint32_t line;
    uint32_t used; /* number of findings that this line suppressed */
};

struct suppressions {
    const char *path; /* borrowed */
    struct suppression *list;
    uint32_t count;
};

/* Returns false with one line in `error` if the file cannot be read, or if a line is not as above.
 * The caller destroys the suppressions in either case. */
bool suppressions_read(struct suppressions *suppressions, const char *path, char *error,
                       size_t size);
void suppressions_destroy(struct suppressions *suppressions);

/* The first suppression that matches, or NULL. `fingerprint` is the one of the trace
 * (trace/identity.h). */
struct suppression *suppressions_match(struct suppressions *suppressions, const struct trace *trace,
                                       const char *fingerprint);

#endif
