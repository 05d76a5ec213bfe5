/* suppressions.h - findings that the user knows and does not want to hear of, from a file:
 *
 *     # a comment
 *     data-race:queue.c:31          a kind, and where: a file, or a line of it,
 *     deadlock:flush_*              a function, an object, or the message; * is any text
 *     *:third_party.c               any kind
 *     fingerprint:0123456789abcdef  this one
 *
 * A pattern must match all of a word, not a part of it: whoever suppresses too much hears nothing. Files
 * match from any slash on. Any frame of any stack of the finding counts. */
#ifndef REPORTS_SUPPRESSIONS_H
#define REPORTS_SUPPRESSIONS_H

#include <stddef.h>

#include "trace/trace.h"

struct suppression {
    enum finding_kind kind; /* FINDING_KINDS: any */
    bool fingerprint;       /* the pattern is one */
    char *pattern;
    char *text; /* the line, as it stands in the file */
    uint32_t line;
    uint32_t used; /* so many findings */
};

struct suppressions {
    const char *path; /* borrowed */
    struct suppression *list;
    uint32_t count;
};

/* False with one line in `error`: it cannot be read, or a line is not as above. The caller destroys it
 * in any case. */
bool suppressions_read(struct suppressions *suppressions, const char *path, char *error,
                       size_t size);
void suppressions_destroy(struct suppressions *suppressions);

/* The first that matches, or NULL. `fingerprint` is that of the trace (trace/identity.h). */
struct suppression *suppressions_match(struct suppressions *suppressions, const struct trace *trace,
                                       const char *fingerprint);

#endif
