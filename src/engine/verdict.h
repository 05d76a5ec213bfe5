/* verdict.h - what may be said at the end, and the exit code of each. */
#ifndef ENGINE_VERDICT_H
#define ENGINE_VERDICT_H

enum verdict {
    VERDICT_VERIFIED, /* everything was explored, nothing was cut off */
    VERDICT_BOUNDED,  /* no bug within the requested bound, which was completed */
    VERDICT_BUG,
    VERDICT_USAGE,        /* what was asked for cannot be done: by an explorer of the user's */
    VERDICT_UNDECIDED,    /* the search is over, but cannot tell */
    VERDICT_BUDGET,       /* time, executions or Ctrl-C came first */
    VERDICT_UNCONTROLLED, /* the same decisions did not give the same execution */
    VERDICT_UNSUPPORTED,  /* the program does what cannot be controlled */
    VERDICT_ERROR,        /* a bug of ours */
    VERDICTS
};

struct verdict_info {
    const char *name; /* in JSON */
    int exit_code;
};

const struct verdict_info *verdict_info(enum verdict verdict);

#endif
