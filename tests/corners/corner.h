/* corner.h - many small programs in one executable. The first argument names the program that runs.
 *
 * Each file of this folder tests one family of corner cases of POSIX, C11, C++17 or C++20. A
 * comment before each PROGRAM states the expected answer first, then says why the standard requires
 * this answer:
 *
 *   expect: verified | bug KIND | unsupported
 *   executions: N      the number of executions, if it can be derived
 *   options: ...       options of `heddle run`
 *   documented: ...    the words of docs/CONTROLLED.md on which the answer relies
 *   pending: ...       what must be repaired before the answer is right
 *
 * read.awk makes a list of the programs, and test_corners.sh runs them. The programs of a file
 * share the variables at its top, because only one program runs. */
#ifndef HEDDLE_TESTS_CORNER_H
#define HEDDLE_TESTS_CORNER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corner {
    const char *name;
    int (*run)(void);
};

/* The linker collects the rows of the table. */
extern struct corner __start_corners[], __stop_corners[];

#ifdef __cplusplus
}
#endif

#define PROGRAM(name) \
    static int name(void); \
    static struct corner name##_corner \
        __attribute__((used, section("corners"), aligned(16))) = {#name, name}; \
    static int name(void)

#define THREAD(name) \
    __attribute__((unused)) static void *name(__attribute__((unused)) void *argument)

/* Calls a function that must return 0. */
#define OK(call) \
    do { \
        int returned = (call); \
        assert(returned == 0); \
    } while (0)

/* Calls a function that must return this number. */
#define GIVES(number, call) \
    do { \
        int returned = (call); \
        assert(returned == (number)); \
    } while (0)

__attribute__((unused)) static pthread_t spawn(void *(*body)(void *), void *argument) {
    pthread_t thread;
    OK(pthread_create(&thread, NULL, body, argument));
    return thread;
}

__attribute__((unused)) static void *join(pthread_t thread) {
    void *result;
    OK(pthread_join(thread, &result));
    return result;
}

/* Starts two threads with these bodies, then joins both. */
__attribute__((unused)) static void both(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t one = spawn(first, NULL), two = spawn(second, NULL);
    join(one);
    join(two);
}

int main(int argc, char **argv) {
    for (struct corner *corner = __start_corners; corner != __stop_corners; corner++) {
        if (argc > 1 && strcmp(argv[1], corner->name) == 0) {
            return corner->run();
        }
    }
    return 99;
}

#endif
