/* size.h - the one argument that the sized programs take: the number of tasks. If a program is
 * compiled with -DSIZE=N, the number is N. This is for tools that cannot give a program
 * arguments. */
#ifndef PROGRAMS_SIZE_H
#define PROGRAMS_SIZE_H

#include <stdio.h>
#include <stdlib.h>

/* Returns the first argument, or `otherwise` if there is none. Ends the program with exit code 2 if
 * the argument is not within 1 .. max. */
static inline int size_argument(int argc, char **argv, int otherwise, int max) {
#ifdef SIZE
    (void)argc, (void)argv, (void)otherwise, (void)max;
    return SIZE;
#else
    int n = argc > 1 ? atoi(argv[1]) : otherwise;
    if (n < 1 || n > max) {
        fprintf(stderr, "usage: %s [1..%d]\n", argv[0], max);
        exit(2);
    }
    return n;
#endif
}

#endif
