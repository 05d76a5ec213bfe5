/* ending.h - the end of a run as the formats for other tools tell it. All is borrowed. */
#ifndef REPORTS_ENDING_H
#define REPORTS_ENDING_H

#include <stdint.h>
#include <time.h>

#include "trace/finding.h"

/* What became of it, as a test. */
enum ending_kind {
    ENDING_PASSED,    /* nothing was found, and what was asked for was done */
    ENDING_FAILED,    /* something was found */
    ENDING_UNDECIDED, /* nothing was found, but the search ended early, or cannot tell */
    ENDING_BROKEN,    /* the program cannot be tested like this, or Heddle failed */
};

/* One that was reported. Unknown texts are empty. */
struct ending_finding {
    enum finding_kind kind;
    const char *message;
    const char *function, *file;
    uint32_t line;
    const char *fingerprint;
    const char *trace;  /* its file, or NULL */
    const char *report; /* as on the terminal */
};

/* A number to go with it, by its name in the JSON result. */
struct ending_count {
    const char *name;
    uint64_t count;
};

struct ending {
    enum ending_kind kind;
    const char *version; /* of Heddle */
    const char *program; /* absolute path */
    char *const *arguments;
    char *const *command; /* argv of heddle */
    const char *directory;
    const char *verdict;
    const char *sentence;
    int exit_code;
    const char *strategy;
    time_t started;
    double seconds;
    const struct ending_count *counts;
    uint32_t count_count;
    const struct ending_finding *findings;
    uint32_t finding_count;
    uint32_t suppressed_count;
};

#endif
