/* program.h - the program to be tested, examined before it is run. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

enum { BUILD_ID_SIZE = 80 };

struct program {
    char path[PATH_MAX]; /* absolute, without symbolic links */
    char build_id[BUILD_ID_SIZE];
    bool linked; /* linked to libheddle.so, so it was built by `heddle cc` */
};

/* Finds the program as a shell would, and checks that Heddle can run it. Returns 0, or an exit code
 * after one line on stderr. */
int program_open(struct program *program, const char *name);

#endif
