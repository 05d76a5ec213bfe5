/* pattern.h - describes operations: for breakpoints of the simulator, and for how far it runs.
 *
 * A pattern consists of words. Each word must match the operation: its task ("T2", or the function
 * that the task runs), its kind ("lock", "cond wait": any word of it), its object, or its place
 * ("queue.c:12", ":12", "queue.c", or the function). Words are globs, as in a shell: "lock
 * queue.*". */
#ifndef CLI_SIM_PATTERN_H
#define CLI_SIM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_SIZE = 80 };

/* An operation in words. A text is empty if unknown, never NULL. */
struct operation_text {
    uint32_t task;
    const char *task_function; /* the function that the task runs */
    const char *kind, *object, *object2;
    const char *file, *function; /* the place in the source; the file without its directory */
    uint32_t line;
};

bool pattern_matches(const char *pattern, const struct operation_text *operation);

/* --- breakpoints --- */

enum { BREAKPOINTS_MAX = 32 };
struct breakpoints {
    char patterns[BREAKPOINTS_MAX][PATTERN_SIZE];
    uint32_t count;
};

/* Adds a breakpoint, unless the same one exists. Returns false if there are too many, or if the
 * pattern is empty. */
bool breakpoints_add(struct breakpoints *breakpoints, const char *pattern);
void breakpoints_remove(struct breakpoints *breakpoints, uint32_t at);
/* Returns the first pattern that matches, or NULL. */
const char *breakpoints_find(const struct breakpoints *breakpoints,
                             const struct operation_text *operation);

/* --- how far to run --- */

enum goal_kind {
    GOAL_END,   /* up to the end of the execution, or a finding */
    GOAL_STEPS, /* that many steps more */
    GOAL_MATCH, /* until an operation that matches the pattern is next */
};

struct goal {
    enum goal_kind kind;
    uint32_t steps;
    char pattern[PATTERN_SIZE];
};

/* Parses "end", "finding" or an empty text; a number such as "20"; or a pattern. Returns false for
 * an impossible number. */
bool goal_parse(struct goal *goal, const char *text);

/* Returns true if the run stops before this operation, `steps` after its beginning. NULL stands for
 * an operation that does not count. */
bool goal_reached(const struct goal *goal, uint32_t steps, const struct operation_text *operation);

#endif
