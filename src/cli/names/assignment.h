/* assignment.h - finds the variable to which a line of source assigns a new block of the heap.
 *
 * It is read from the text, because debug information does not tell: `ctx = malloc(sizeof *ctx)`,
 * `auto p = new Node`, `pool->slots = calloc(n, sizeof *pool->slots)`, `std::unique_ptr<Node> p(new
 * Node)`. A text that is more complicated, or that has two allocations, is not understood. */
#ifndef CLI_ASSIGNMENT_H
#define CLI_ASSIGNMENT_H

#include <stdbool.h>

enum { ASSIGNMENT_STEPS = 4, ASSIGNMENT_WORD = 64, ASSIGNMENT_TEXT = 120 };

/* One step from a variable to the target: "->slots", ".head", "[i]". */
struct assignment_step {
    enum { STEP_ARROW, STEP_DOT, STEP_INDEX } kind;
    char member[ASSIGNMENT_WORD];
};

struct assignment {
    char text[ASSIGNMENT_TEXT]; /* the target as it is written: "pool->slots" */
    char variable[ASSIGNMENT_WORD];
    struct assignment_step steps[ASSIGNMENT_STEPS];
    int step_count;
    bool array;       /* the call asks for several elements */
    bool more;        /* the call asks for additional bytes (`sizeof *p + n`) */
    bool by_new;      /* the block is allocated by a C++ expression */
    bool make_shared; /* std::make_shared: the object stands after the counters of the library */
};

/* Reads the statement in which the block is allocated. `callee` is the function that is called
 * there. */
bool assignment_read(const char *statement, const char *callee, struct assignment *assignment);

#endif
