/* unseen.h - warnings of `heddle cc` about code that its instrumentation does not cover. */
#ifndef CLI_CC_UNSEEN_H
#define CLI_CC_UNSEEN_H

#include <stdbool.h>

#include "cli/cc/words.h"

/* A compiled unit. */
struct cc_unit {
    const char *tool; /* "cc" or "c++", for messages */
    const char *source, *object;
    const struct words
        *to_assembly; /* the command that compiles the source, without "-S -o FILE" */
    bool clang;
    bool quiet; /* -w: no warning, but the mark is written */
};

/* Warns of atomic instructions and of inline assembly that accesses memory, one line each. Marks
 * the object with the functions that have such assembly, so that the verdict of a program can
 * mention them: their instructions alone do not show it. Functions with accesses that clang does
 * not instrument are treated in the same way (cc/wide.h). */
void cc_unseen_check(const struct cc_unit *unit);

#endif
