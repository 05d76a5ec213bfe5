/* names.h - the names that the simulator shows for addresses. An address is looked up when it is
 * first shown, so a long execution costs only what is visible of it.
 *
 * `trace` is not an execution but a table of names (tasks, objects), so that reports/describe.h can
 * describe the state of the simulator like a trace. */
#ifndef CLI_SIM_NAMES_H
#define CLI_SIM_NAMES_H

#include <stdio.h>

#include "cli/names/source.h"
#include "cli/names/symbols.h"
#include "engine/dialogue.h"
#include "engine/session.h"
#include "trace/trace.h"

/* A stack in the session, borrowed: of a task at rest or of an event. */
struct stack_view {
    const uint64_t *pcs; /* innermost first */
    uint32_t count;
    uint32_t task;
    uint64_t pc; /* the address of the operation, if no stack was recorded */
};

struct names {
    const struct session *session; /* borrowed */
    struct symbols *symbols;
    struct source_files *files;
    struct trace trace;
    void *places; /* a search tree, sorted by address */
};

/* Uses the modules that the session knows now: call this after the program has reached main. */
void names_init(struct names *names, const struct session *session);
void names_destroy(struct names *names);

struct stack_view names_task_stack(const struct dialogue_task *task);
struct stack_view names_event_stack(const struct execution *execution, const struct event *event);

/* Returns the frame that a user would call the place: the innermost one in the user's own code, or
 * NULL. It is valid as long as the names. */
const struct trace_frame *names_place(struct names *names, const struct stack_view *stack);

/* Puts everything that describe_...() may need of this operation into names->trace. */
void names_know_op(struct names *names, const struct op *op);
void names_know_tasks(struct names *names);
/* If the function of a task belongs to a library, names the task by the first function of the user
 * on its stack. */
void names_know_task(struct names *names, const struct stack_view *stack);

/* Prints all frames, one line each, in the form of the reports. */
void names_print_stack(struct names *names, const struct stack_view *stack, FILE *out);

#endif
