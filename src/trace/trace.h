/* trace.h - one execution and its finding, in names instead of addresses.
 *
 * A trace is self-contained: to read it, neither the program nor the engine is needed. It holds
 * enough to repeat the execution (program, arguments, options, task names, decisions), enough to
 * compare the repetition (events with their addresses), and enough to explain it (frames with
 * source text, names of objects, notes). Reports are made from a trace and nothing else; file.h
 * stores it.
 *
 * Frames, stacks and notes are in tables. The numbers of stacks and notes, in events and in the
 * finding, start at 1; 0 means that there is none. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "execution/events.h"
#include "execution/evidence.h"
#include "execution/execution.h"
#include "execution/finding.h"

/* An option of `heddle run` by its name without dashes. The meaning of the option is not known
 * here. */
struct trace_option {
    const char *name, *value;
};

/* One line of a call stack. Unknown texts are empty, never NULL. */
struct trace_frame {
    const char *function, *file;
    uint32_t line;
    const char *module; /* "libc.so.6+0x2724a" */
    const char *source; /* the text of the source line */
};

/* Frames, innermost first: trace->links[first .. first + count) index trace->frames. */
struct trace_stack {
    uint32_t first, count;
};

struct trace_task {
    /* the number of the child among those of its parent; the parent of the first task is NO_TASK */
    uint32_t parent, child;
    uint64_t entry, pc;   /* addresses, for the repetition */
    const char *function; /* its start function */
    uint32_t stack;       /* the place of its creation */
};

struct trace_object {
    uint64_t address;
    const char *name;
};

/* A line of source near a place of the trace, as the file had it. */
struct trace_line {
    const char *file;
    uint32_t line;
    const char *text;
};

struct trace_block;

struct trace {
    const char *version; /* of Heddle */
    const char *program; /* absolute path */
    const char *directory;
    const char *build_id;
    const char *origin; /* a hash of the place where the trace was recorded; empty: unknown */
    /* the number of the execution in the search; 0: it comes from the simulator */
    uint64_t at_execution;
    struct finding finding; /* FINDING_KINDS as its kind: there is no finding, see trace_fails() */
    /* the execution was left in the middle, and its repetition is left there, too */
    bool unfinished;
    struct evidence evidence;

    const char **arguments; /* from argv[0] on */
    struct trace_option *options;
    struct trace_frame *frames;
    uint32_t *links;
    struct trace_stack *stacks;
    struct trace_task *tasks;
    struct trace_object *objects; /* sorted by address */
    struct trace_line *lines;     /* sorted by file and line */
    const char **notes;
    const char **wrote;   /* the last lines that the program wrote in this execution */
    struct event *events; /* their stacks and notes are numbers in this trace */
    struct decision *decisions;
    struct event *passing_events; /* the nearest execution without a finding, if one is known */
    struct decision *passing_decisions;
    uint32_t argument_count, option_count, frame_count, link_count, stack_count, task_count,
        object_count, line_count, note_count, wrote_count, event_count, decision_count,
        passing_event_count, passing_decision_count;

    struct trace_block *blocks; /* owns every string */
};

void trace_init(struct trace *trace);
void trace_destroy(struct trace *trace);

/* Returns a copy that lives as long as the trace. */
const char *trace_copy(struct trace *trace, const char *text);

/* Appends a zeroed element to an array that grows only by this function. */
void *trace_extend(void **items, uint32_t *count, size_t element);
#define TRACE_ADD(items, count) trace_extend((void **)&(items), &(count), sizeof *(items))

/* Sorts objects by address, and lines by file and line. Called last when a trace is filled. */
void trace_sort(struct trace *trace);

static inline bool trace_fails(const struct trace *trace) {
    return trace->finding.kind < FINDING_KINDS;
}

/* Makes `view` the passing execution as a trace of its own. Everything in it is borrowed, so it is
 * not destroyed. Returns false if there is no passing execution. */
bool trace_passing(const struct trace *trace, struct trace *view);

/* The events of the trace without names, borrowed. */
struct events trace_events(const struct trace *trace);

/* The number of context switches. */
uint32_t trace_switches(const struct trace *trace);

/* The text of a source line, or NULL. */
const char *trace_line(const struct trace *trace, const char *file, uint32_t line);

/* The name of an object, or NULL. */
const char *trace_object_name(const struct trace *trace, uint64_t address);

const char *trace_option(const struct trace *trace, const char *name); /* NULL: not recorded */

/* Frame `depth` of a stack, or NULL beyond its end. */
const struct trace_frame *trace_frame(const struct trace *trace, uint32_t stack, uint32_t depth);

/* Whether the code belongs to the user. Inline functions of system headers (std::mutex::lock) do
 * not. */
bool trace_own_code(const struct trace_frame *frame);

/* The frame that a user would call the place: the innermost one in the user's own code. NULL only
 * for an empty stack. */
const struct trace_frame *trace_place(const struct trace *trace, uint32_t stack);

/* The place of the finding, or NULL. If several tasks wait, the place of one that does not only
 * wait for the end of another. */
const struct trace_frame *trace_finding_place(const struct trace *trace);

/* Whether the finding is about the task. */
bool trace_takes_part(const struct trace *trace, uint32_t task);

/* The number of events before the finding. With --keep-going, a data race does not end the
 * execution. */
uint32_t trace_events_before(const struct trace *trace);

/* The part of a path after its last slash. */
const char *trace_basename(const char *path);

#endif
