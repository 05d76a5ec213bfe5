/* pattern.h - which operations are meant: breakpoints of the simulator, and how far it runs.
 *
 * A pattern is words; each must be found in the operation: as its task ("T2", or the function that it
 * runs), its kind ("lock", "cond wait": any word of it), its object, or its place ("queue.c:12", ":12",
 * "queue.c", or the function). Words are globs, as in a shell: "lock queue.*". */
#ifndef CLI_SIM_PATTERN_H
#define CLI_SIM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_SIZE = 80 };

/* An operation in words. Texts are empty where unknown, never NULL. */
struct operation_text {
    uint32_t task;
    const char *task_function; /* that the task runs */
    const char *kind, *object, *object2;
    const char *file, *function; /* where in the source; the file without its directory */
    uint32_t line;
};

bool pattern_matches(const char *pattern, const struct operation_text *operation);

/* --- breakpoints --- */

enum { BREAKPOINTS_MAX = 32 };
struct breakpoints {
    char patterns[BREAKPOINTS_MAX][PATTERN_SIZE];
    uint32_t count;
};

/* False: there are too many, or it says nothing. One that is there already stays the only one. */
bool breakpoints_add(struct breakpoints *breakpoints, const char *pattern);
void breakpoints_remove(struct breakpoints *breakpoints, uint32_t at);
/* The first that matches, or NULL. */
const char *breakpoints_find(const struct breakpoints *breakpoints,
                             const struct operation_text *operation);

/* --- how far to run --- */

enum goal_kind {
    GOAL_END,   /* of the execution, or something is found */
    GOAL_STEPS, /* so many more */
    GOAL_MATCH, /* an operation that matches the pattern is next */
};

struct goal {
    enum goal_kind kind;
    uint32_t steps;
    char pattern[PATTERN_SIZE];
};

/* "end", "finding" or nothing; "20"; else a pattern. False: it is no number that can be meant. */
bool goal_parse(struct goal *goal, const char *text);

/* Whether to stop before this operation (NULL: one that does not count), `steps` after the run has begun. */
bool goal_reached(const struct goal *goal, uint32_t steps, const struct operation_text *operation);

#endif
