/* ending.h - the end of a run, for the formats that other tools read. Everything is borrowed. */
#ifndef REPORTS_ENDING_H
#define REPORTS_ENDING_H

#include <stdint.h>
#include <time.h>

#include "reports/reported.h"

/* The result of the run, seen as a test. */
enum ending_kind {
    ENDING_PASSED,    /* nothing was found, and the requested search was completed */
    ENDING_FAILED,    /* there are findings */
    ENDING_UNDECIDED, /* nothing was found, but the search ended early or cannot decide */
    ENDING_BROKEN,    /* the program cannot be tested like this, or Heddle failed */
};

/* A counter of the run, by its name in the JSON result. */
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
    const struct reported_list *findings;
    const struct reported_list *suppressed;
};

#endif
