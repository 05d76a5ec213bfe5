/* unseen_code.h - finds instructions in a compiled file that synchronise but are not covered by the
 * instrumentation.
 *
 * Instrumented code has no such instructions: its atomics and fences are calls of the runtime. So a
 * locked instruction, an exchange with memory or a fence comes from inline assembly, or from a
 * library that was linked in and not compiled by `heddle cc`. Heddle does not see system calls in
 * assembly either. */
#ifndef CLI_UNSEEN_CODE_H
#define CLI_UNSEEN_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum { UNSEEN_PLACES = 3, UNSEEN_NAME = 96 };

/* The first such instruction of a function. */
struct unseen_place {
    char function[UNSEEN_NAME]; /* "" if unknown */
    char instruction[32];       /* "lock cmpxchg", or "assembly" */
};

struct unseen_code {
    bool instrumented; /* a part of the file was compiled by `heddle cc` */
    /* The number of functions with such instructions; a file without symbols counts as one. */
    uint32_t functions;
    struct unseen_place places[UNSEEN_PLACES]; /* the first of these functions */
};

/* In place of an instruction, for functions that `heddle cc` has marked (base/marks.h). */
#define UNSEEN_ASSEMBLY "assembly"
#define UNSEEN_WIDE "wide access"

/* Examines a program, a library or an object. Returns false if it cannot be read. */
bool unseen_code_find(struct unseen_code *code, const char *path);

/* Writes a C++ name in readable form. Other names stay as they are. */
const char *unseen_demangle(const char *name, char text[UNSEEN_NAME]);

#endif
