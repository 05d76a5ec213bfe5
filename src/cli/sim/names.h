/* names.h - what the simulator shows of addresses: each is looked up when it is first shown, and only
 * then, so an execution of many steps costs what is visible of it.
 *
 * `trace` is no execution but a table of names (tasks, objects), so that reports/describe.h speaks of
 * the simulator's state as of a trace. */
#ifndef CLI_SIM_NAMES_H
#define CLI_SIM_NAMES_H

#include <stdio.h>

#include "cli/source.h"
#include "cli/symbols.h"
#include "engine/dialogue.h"
#include "engine/session.h"
#include "trace/trace.h"

/* A stack of the session, borrowed: of a task at rest or of an event. */
struct stack_view {
    const uint64_t *pcs; /* innermost first */
    uint32_t count;
    uint32_t task;
    uint64_t pc; /* of the operation, where no stack was recorded */
};

struct names {
    const struct session *session; /* borrowed */
    struct symbols *symbols;
    struct source_files *files;
    struct trace trace;
    void *places; /* search tree, by address */
};

/* Of the modules that the session knows by now: after the program has come to main. */
void names_init(struct names *names, const struct session *session);
void names_destroy(struct names *names);

struct stack_view names_task_stack(const struct dialogue_task *task);
struct stack_view names_event_stack(const struct execution *execution, const struct event *event);

/* Where the user would say that it is: the innermost frame in code of their own; NULL if none is known.
 * It lives as long as the names. */
const struct trace_frame *names_place(struct names *names, const struct stack_view *stack);

/* Everything that describe_...() may need of these, in names->trace. */
void names_know_op(struct names *names, const struct op *op);
void names_know_tasks(struct names *names);
/* A task of a library's function is called by the first function of the user on its stack. */
void names_know_task(struct names *names, const struct stack_view *stack);

/* All frames, a line each, in the shape of the reports. */
void names_print_stack(struct names *names, const struct stack_view *stack, FILE *out);

#endif
