/* cc_unseen.h - what `heddle cc` says of code that its instrumentation does not cover. */
#ifndef CLI_CC_UNSEEN_H
#define CLI_CC_UNSEEN_H

#include <stdbool.h>

#include "cli/cc_words.h"

/* One unit that was compiled. */
struct cc_unit {
    const char *tool; /* "cc" or "c++", for messages */
    const char *source, *object;
    const struct words
        *to_assembly; /* the command that compiles the source, but for "-S -o FILE" */
    bool clang;
    bool quiet; /* -w: no word, but the mark all the same */
};

/* Warns of atomic instructions and of inline assembly that accesses memory, one line each. Marks the object with the
 * functions that have such assembly, so that the verdict of a program can say it: their instructions are nothing
 * special. Likewise functions with accesses that clang does not instrument (cc_wide.h). */
void cc_unseen_check(const struct cc_unit *unit);

#endif
