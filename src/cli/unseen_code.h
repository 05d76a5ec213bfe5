/* unseen_code.h - instructions in a compiled file that synchronise, but that no instrumentation covers.
 *
 * Instrumented code has none: its atomics and fences are calls of the runtime. So a locked instruction, an exchange
 * with memory or a fence that is there all the same comes from inline assembly, or from a library that was linked in
 * and not compiled by `heddle cc`. System calls in assembly are as unseen. */
#ifndef CLI_UNSEEN_CODE_H
#define CLI_UNSEEN_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum { UNSEEN_PLACES = 3, UNSEEN_NAME = 96 };

/* The first such instruction of a function. */
struct unseen_place {
    char function[UNSEEN_NAME]; /* "" if nobody knows */
    char instruction[32];       /* "lock cmpxchg", or "assembly" */
};

struct unseen_code {
    bool instrumented;  /* some of it was compiled by `heddle cc` */
    uint32_t functions; /* with such instructions; a file without names is one */
    struct unseen_place places[UNSEEN_PLACES]; /* the first of them */
};

/* Marks of `heddle cc` in an object: functions with inline assembly that accesses memory, each with a 0 at its end. */
#define UNSEEN_SECTION ".heddle.asm"
#define UNSEEN_ASSEMBLY "assembly" /* the instruction of such a function */
/* The same for functions with accesses of a size that clang does not instrument (cc_wide.h). */
#define UNSEEN_WIDE_SECTION ".heddle.wide"
#define UNSEEN_WIDE "wide access"

/* Looks at a program, a library or an object. False if it cannot be read. */
bool unseen_code_find(struct unseen_code *code, const char *path);

/* A name of C++ as people write it; others as they are. */
const char *unseen_demangle(const char *name, char text[UNSEEN_NAME]);

#endif
