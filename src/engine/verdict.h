/* verdict.h - the verdicts at the end of a run, and the exit code of each. */
#ifndef ENGINE_VERDICT_H
#define ENGINE_VERDICT_H

enum verdict {
    VERDICT_VERIFIED, /* everything was explored, nothing was cut off */
    VERDICT_BOUNDED,  /* no bug within the requested bound, which was completed */
    VERDICT_BUG,
    VERDICT_USAGE,     /* the request cannot be carried out: an explorer of the user's is wrong */
    VERDICT_UNDECIDED, /* the search is over, but cannot decide */
    VERDICT_BUDGET,    /* the time, the number of executions or Ctrl-C ended the search */
    VERDICT_UNCONTROLLED, /* the same decisions did not give the same execution */
    VERDICT_UNSUPPORTED,  /* the program does something that cannot be controlled */
    VERDICT_ERROR,        /* a bug of Heddle */
    VERDICTS
};

struct verdict_info {
    const char *name; /* in JSON */
    int exit_code;
};

const struct verdict_info *verdict_info(enum verdict verdict);

#endif
