/* trace.h - one execution with what is wrong with it, in names instead of addresses.
 *
 * Self-contained: whoever reads a trace needs neither the program nor the engine. It holds enough to
 * repeat the execution (program, arguments, options, task names, decisions), enough to compare the
 * repetition (events with their addresses), and enough to explain it (frames with source text, names
 * of objects, notes). Reports are made from this and nothing else; file.h stores it.
 *
 * Frames, stacks and notes stand in tables. A stack's and a note's number starts at 1, in events and
 * in the finding: 0 means that there is none. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "trace/execution.h"
#include "trace/finding.h"

/* An option of `heddle run` by its name without dashes: the trace does not know what it means. */
struct trace_option {
    const char *name, *value;
};

/* One line of a call stack. Texts are empty where unknown, never NULL. */
struct trace_frame {
    const char *function, *file;
    uint32_t line;
    const char *module; /* "libc.so.6+0x2724a" */
    const char *source; /* the text of that line */
};

/* Frames, innermost first: trace->links[first .. first + count) index trace->frames. */
struct trace_stack {
    uint32_t first, count;
};

struct trace_task {
    uint32_t parent, child; /* the how many-th child of whom; NO_TASK for the first */
    uint64_t entry, pc;     /* addresses, for the repetition */
    const char *function;   /* what it runs */
    uint32_t stack;         /* where it was created */
};

struct trace_object {
    uint64_t address;
    const char *name;
};

/* A line of source near a place of the trace, as it stood in the file. */
struct trace_line {
    const char *file;
    uint32_t line;
    const char *text;
};

/* What was learnt about the schedule by trying others: see cli/minimise.h. Events are numbered from 1
 * here, as readers see them; 0 means that it is not known. */
enum trace_smallness {
    SMALLNESS_UNKNOWN, /* nobody looked for a smaller one */
    SMALLNESS_TRIED,   /* none was found before the budget ended */
    SMALLNESS_TRADED,  /* there is one with fewer context switches, but many more steps */
    SMALLNESS_PROVEN,  /* there is none with fewer context switches */
    SMALLNESSES
};

struct trace_evidence {
    enum trace_smallness smallness;
    uint32_t switches;       /* context switches of this schedule, */
    uint32_t found_switches; /* and of the one that the search came upon */
    uint32_t turn;           /* the first event after the one switch that matters: */
    uint32_t turned;         /* it comes between two steps of that task; NO_TASK: not known */
    uint32_t critical;       /* the event after which nothing passes any more, */
    bool critical_within;    /* by what is chosen within its step, */
    bool critical_proven;    /* all were tried; else none that was tried passed */
    uint64_t tried;          /* executions, for all of this */
};

struct trace_block;

struct trace {
    const char *version; /* of Heddle */
    const char *program; /* absolute path */
    const char *directory;
    const char *build_id;
    const char *origin;     /* where it was recorded, as a hash; empty: unknown */
    uint64_t at_execution;  /* the how many-th of the search; 0: of none, but of the simulator */
    struct finding finding; /* kind is FINDING_KINDS: nothing is wrong, see trace_fails() */
    bool unfinished;        /* it was left in the middle, and so is its repetition */
    struct trace_evidence evidence;

    const char **arguments; /* from argv[0] on */
    struct trace_option *options;
    struct trace_frame *frames;
    uint32_t *links;
    struct trace_stack *stacks;
    struct trace_task *tasks;
    struct trace_object *objects; /* sorted by address */
    struct trace_line *lines;     /* sorted by file and line */
    const char **notes;
    const char **wrote;   /* the last lines of what the program wrote in this execution */
    struct event *events; /* stack and note are numbers in this trace */
    struct decision *decisions;
    struct event
        *passing_events; /* the nearest execution in which nothing is wrong, if one is known */
    struct decision *passing_decisions;
    uint32_t argument_count, option_count, frame_count, link_count, stack_count, task_count,
        object_count, line_count, note_count, wrote_count, event_count, decision_count,
        passing_event_count, passing_decision_count;

    struct trace_block *blocks; /* owns every string */
};

void trace_init(struct trace *trace);
void trace_destroy(struct trace *trace);

/* A copy that lives as long as the trace. */
const char *trace_copy(struct trace *trace, const char *text);

/* Room for one more element, zeroed, at the end of an array that is grown only here. */
void *trace_extend(void **items, uint32_t *count, size_t element);
#define TRACE_ADD(items, count) trace_extend((void **)&(items), &(count), sizeof *(items))

/* Objects by address, lines by file and line: whoever has filled a trace does this last. */
void trace_sort(struct trace *trace);

static inline bool trace_fails(const struct trace *trace) {
    return trace->finding.kind < FINDING_KINDS;
}

/* The passing execution as a trace of its own, which borrows everything: it is not destroyed. False
 * if there is none. */
bool trace_passing(const struct trace *trace, struct trace *view);

/* How often another task moves than the one before. */
uint32_t trace_switches(const struct trace *trace);

/* The text of a source line, or NULL. */
const char *trace_line(const struct trace *trace, const char *file, uint32_t line);

/* The name of an object, or NULL. */
const char *trace_object_name(const struct trace *trace, uint64_t address);

const char *trace_option(const struct trace *trace, const char *name); /* NULL: not recorded */

/* Frame `depth` of a stack, or NULL beyond its end. */
const struct trace_frame *trace_frame(const struct trace *trace, uint32_t stack, uint32_t depth);

/* Code of the user: inline functions of system headers (std::mutex::lock) are not where they look. */
bool trace_own_code(const struct trace_frame *frame);

/* The frame that a user would call the place: the innermost one in code of their own. NULL only for
 * an empty stack. */
const struct trace_frame *trace_place(const struct trace *trace, uint32_t stack);

/* The place of the finding, or NULL. Of several who wait, one who does not merely wait for another's end. */
const struct trace_frame *trace_finding_place(const struct trace *trace);

/* Whether a task is one of those that the finding is about. */
bool trace_takes_part(const struct trace *trace, uint32_t task);

/* So many events came before the finding. With --keep-going a data race is not the end. */
uint32_t trace_events_before(const struct trace *trace);

/* The part of a path behind its last slash. */
const char *trace_basename(const char *path);

#endif
