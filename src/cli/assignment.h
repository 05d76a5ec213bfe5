/* assignment.h - which variable a line of source assigns a new block of the heap to.
 *
 * Read from the text, since debug information does not say so: `ctx = malloc(sizeof *ctx)`, `auto p = new Node`,
 * `pool->slots = calloc(n, sizeof *pool->slots)`, `std::unique_ptr<Node> p(new Node)`. Whatever is not as simple as
 * that, or of which there are two in the text, is not understood. */
#ifndef CLI_ASSIGNMENT_H
#define CLI_ASSIGNMENT_H

#include <stdbool.h>

enum { ASSIGNMENT_STEPS = 4, ASSIGNMENT_WORD = 64, ASSIGNMENT_TEXT = 120 };

/* One step from a variable to what is assigned: "->slots", ".head", "[i]". */
struct assignment_step {
    enum { STEP_ARROW, STEP_DOT, STEP_INDEX } kind;
    char member[ASSIGNMENT_WORD];
};

struct assignment {
    char text[ASSIGNMENT_TEXT]; /* what is assigned to, as it is written: "pool->slots" */
    char variable[ASSIGNMENT_WORD];
    struct assignment_step steps[ASSIGNMENT_STEPS];
    int step_count;
    bool array;       /* the call speaks of several elements, */
    bool more;        /* or of something besides (`sizeof *p + n`) */
    bool by_new;      /* an expression of C++ */
    bool make_shared; /* the object stands behind the library's own counts */
};

/* The statement in which the block is allocated. `callee` is the function that was called there. */
bool assignment_read(const char *statement, const char *callee, struct assignment *assignment);

#endif
