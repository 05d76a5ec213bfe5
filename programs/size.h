/* size.h - the one argument that the sized programs take: how many tasks. Compiled with -DSIZE=N, it is N: for
 * tools that give a program no arguments. */
#ifndef PROGRAMS_SIZE_H
#define PROGRAMS_SIZE_H

#include <stdio.h>
#include <stdlib.h>

/* The first argument, or `otherwise` where there is none. Not within 1 .. max: exit code 2. */
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
