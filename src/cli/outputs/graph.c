/* graph.c - see graph.h: makes boxes with names from the tree of the session.
 *
 * A node of the tree is the node of the same number in the graph. Only what is drawn is named: a
 * large tree is folded first (reports/graph.h), then the operations at the two ends of each box are
 * put one after the other as if they were an execution, and collect.c names them. */
#define _GNU_SOURCE
#include "cli/outputs/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/base/say.h"
#include "cli/supervise/sound.h"
#include "engine/branches.h"
#include "engine/tree.h"
#include "reports/describe.h"
#include "reports/graph.h"

enum { BUDGET = 400, LINE_MAX_CHARACTERS = 56, TITLE_WIDTH = 110, TASKS_SHOWN = 12 };

struct drawing {
    const struct collect_source *source;
    const struct tree *tree;
    struct graph graph;
    struct trace trace;       /* has the names; its events are the first and the last of each box */
    uint64_t races_forgotten; /* races that have no place in the tree */
};

/* --- nodes ---------------------------------------------------------------------------------- */

static enum graph_kind kind_of(const struct tree_node *node) {
    switch ((enum tree_kind)node->kind) {
    case TREE_ROOT:
    case TREE_SEARCH: return GRAPH_START;
    case TREE_DECISION: return GRAPH_STEP;
    case TREE_LEAF: break;
    }
    if (node->counts.found > 0)
        return GRAPH_FOUND;
    return node->counts.complete > 0 ? GRAPH_COMPLETE : GRAPH_SHORT;
}

static void add_nodes(struct drawing *drawing) {
    for (uint32_t i = 0; i < drawing->tree->count; i++) {
        const struct tree_node *node = &drawing->tree->nodes[i];
        const struct graph_counts counts = {node->counts.complete, node->counts.found,
                                            node->counts.others};
        graph_add_node(&drawing->graph, node->parent, kind_of(node), counts);
    }
}

/* --- arrows --------------------------------------------------------------------------------- */

/* The leaf of an execution, or 0. */
static uint32_t leaf_of(const struct tree *tree, uint64_t execution) {
    for (uint32_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == TREE_LEAF && tree->nodes[i].execution == execution)
            return i;
    return 0;
}

static uint32_t depth_of(const struct tree *tree, uint32_t node) {
    uint32_t depth = 0;
    for (; node != 0; node = tree->nodes[node].parent)
        depth += tree->nodes[node].kind == TREE_DECISION;
    return depth;
}

/* The node on the way to a leaf whose decision comes after `decisions` others. A step that did not
 * happen is at the leaf. */
static uint32_t node_at(const struct tree *tree, uint32_t leaf, uint32_t decisions) {
    uint32_t depth = depth_of(tree, leaf), node = leaf;
    while (depth > decisions && tree->nodes[node].parent != 0) {
        node = tree->nodes[node].parent;
        if (depth == decisions + 1 && tree->nodes[node].kind == TREE_DECISION)
            return node;
        depth -= tree->nodes[node].kind == TREE_DECISION;
    }
    return leaf;
}

static void add_arrows(struct drawing *drawing) {
    const struct branches *branches = drawing->source->session->result.records.branches;
    if (branches == NULL || !sound_branches(drawing->source->session))
        return;
    drawing->races_forgotten = branches->planned - branches->note_count;
    for (uint32_t i = 0; i < branches->note_count; i++) {
        const struct branch_note *note = &branches->notes[i];
        uint32_t leaf = leaf_of(drawing->tree, note->execution);
        if (note->tag != CHOICE_SCHEDULE)
            continue;
        if (leaf == 0)
            drawing->races_forgotten++;
        else
            graph_add_arrow(&drawing->graph, node_at(drawing->tree, leaf, note->at[0]),
                            node_at(drawing->tree, leaf, note->at[1]));
    }
}

/* --- names ---------------------------------------------------------------------------------- */

static struct event event_of(const struct drawing *drawing, uint32_t node) {
    const struct tree_node *from = &drawing->tree->nodes[node];
    if (from->kind == TREE_DECISION && from->happened)
        return from->event;
    return (struct event){.op = {.kind = OP_YIELD, .target = NO_TASK}};
}

/* If the program did not come to its first task, there is nothing to name. */
static void name_boxes(struct drawing *drawing) {
    const struct graph *graph = &drawing->graph;
    uint32_t count = drawing->source->session->result.tasks.count > 0 ? 2 * graph->box_count : 0;
    struct event *events = calloc(count + 1, sizeof *events);
    CHECK(events);
    for (uint32_t i = 0; 2 * i < count; i++) {
        events[2 * i] = event_of(drawing, graph->boxes[i].first);
        events[2 * i + 1] = event_of(drawing, graph->boxes[i].last);
    }
    const struct execution execution = {.events = events, .event_count = count};
    const struct collect_subject names = {.execution = &execution};
    collect_trace(&drawing->trace, drawing->source, &names);
    free(events);
}

/* The kind of the next decision within the same step; CHOICE_SCHEDULE if there is none. */
static enum choice_tag next_choice(const struct tree *tree, uint32_t node) {
    uint32_t child = tree->nodes[node].child;
    bool decided = child < tree->count && tree->nodes[child].kind == TREE_DECISION;
    return decided ? tree->nodes[child].decision.tag : CHOICE_SCHEDULE;
}

/* A decision that was not followed by an event. */
static void describe_decision(const struct drawing *drawing, uint32_t node, FILE *out) {
    const struct decision *decision = &drawing->tree->nodes[node].decision;
    switch ((enum choice_tag)decision->tag) {
    case CHOICE_SCHEDULE:
        fprintf(out, "T%" PRIu32 " %s", decision->chosen,
                next_choice(drawing->tree, node) != CHOICE_SCHEDULE ? "chooses" : "moves");
        break;
    case CHOICE_VALUE: fprintf(out, "chooses %" PRIu32, decision->chosen); break;
    case CHOICE_WAKE: fprintf(out, "wakes sleeper %" PRIu32, decision->chosen + 1); break;
    case CHOICE_TIMEOUT: fprintf(out, "the wait ends in way %" PRIu32, decision->chosen + 1); break;
    case CHOICE_TAGS: break;
    }
}

/* The contents of a message have no name yet, but the receiver is known. */
static void describe_message(const struct trace *trace, const struct event *event, FILE *out) {
    fputs(op_info(event->op.kind)->name, out);
    if (event->op.kind == OP_SEND) {
        fputs(" to ", out);
        describe_task(trace, event->op.receiver, out);
    }
}

/* Whether the effect of the operation was chosen within it. The choice is a node of its own. */
static bool is_open(const struct drawing *drawing, uint32_t node, enum op_kind kind) {
    enum choice_tag next = next_choice(drawing->tree, node);
    return (next == CHOICE_VALUE && kind == OP_CHOOSE) || next == CHOICE_WAKE ||
           next == CHOICE_TIMEOUT;
}

static void describe_operation(const struct drawing *drawing, uint32_t node,
                               const struct event *named, FILE *out) {
    bool message = named->op.kind == OP_SEND || op_receives(named->op.kind);
    if (message && drawing->source->session->result.observed.machines)
        describe_message(&drawing->trace, named, out);
    else if (is_open(drawing, node, named->op.kind))
        describe_op(&drawing->trace, &named->op, out);
    else
        describe_event(&drawing->trace, named, out);
}

/* "T1 store x := 1, readers.c:24" */
static void describe_step(const struct drawing *drawing, uint32_t node, const struct event *named,
                          FILE *out) {
    const struct trace *trace = &drawing->trace;
    if (!drawing->tree->nodes[node].happened) {
        describe_decision(drawing, node, out);
        return;
    }
    const struct trace_frame *place = trace_place(trace, named->stack);
    fprintf(out, "T%" PRIu32 " ", named->task);
    describe_operation(drawing, node, named, out);
    if (place != NULL && place->file[0]) {
        fputs(", ", out);
        describe_text(trace_basename(place->file), out);
        fprintf(out, ":%" PRIu32, place->line);
    }
}

/* A line that is too long loses its middle, since the operation and the place stand at its ends. */
static void write_shortened(const char *line, FILE *out) {
    size_t length = strlen(line), half = LINE_MAX_CHARACTERS / 2, tail = length - half;
    if (length <= LINE_MAX_CHARACTERS) {
        fputs(line, out);
        return;
    }
    while (half > 0 && ((unsigned char)line[half] & 0xc0) == 0x80)
        half--;
    while (((unsigned char)line[tail] & 0xc0) == 0x80)
        tail++;
    fprintf(out, "%.*s...%s", (int)half, line, line + tail);
}

static void write_step(const struct drawing *drawing, uint32_t node, const struct event *named,
                       FILE *out) {
    char *line = NULL;
    size_t length;
    FILE *step = open_memstream(&line, &length);
    CHECK(step);
    describe_step(drawing, node, named, step);
    CHECK(fclose(step) == 0);
    write_shortened(line, out);
    free(line);
}

static void write_chain(const struct drawing *drawing, uint32_t number, FILE *out) {
    const struct graph_box *box = &drawing->graph.boxes[number];
    const struct event *named = &drawing->trace.events[2 * number];
    write_step(drawing, box->first, &named[0], out);
    if (box->steps > 2)
        fprintf(out, "\n(%" PRIu32 " step%s)", box->steps - 2, box->steps == 3 ? "" : "s");
    if (box->steps > 1) {
        fputc('\n', out);
        write_step(drawing, box->last, &named[1], out);
    }
}

static const char *outcome_text(const struct tree_node *leaf) {
    if (leaf->finding < FINDING_KINDS)
        return finding_info(leaf->finding)->title;
    switch ((enum outcome)leaf->outcome) {
    case OUTCOME_BLOCKED: return "blocked by a sleep set";
    case OUTCOME_IDLE: return "a loop only waits";
    case OUTCOME_DEEP: return "deep enough";
    case OUTCOME_SEEN: return "seen before";
    case OUTCOME_ASSUMED:
    case OUTCOME_DROPPED: return "assumption not met";
    case OUTCOME_CUT: return "cut off";
    case OUTCOME_ENDED:
    case OUTCOME_STUCK: return leaf->counts.others > 0 ? "did not come again" : "";
    case OUTCOME_FAILED: return "did not come again";
    case OUTCOME_RUNNING:
    case OUTCOME_RESTART:
    case OUTCOME_ERROR: break;
    }
    return "";
}

static void write_leaf(const struct tree_node *leaf, FILE *out) {
    char text[GROUPED_SIZE];
    uint64_t times = (uint64_t)leaf->counts.complete + leaf->counts.found + leaf->counts.others;
    fprintf(out, "execution %s", say_grouped(leaf->execution, text));
    if (times > 1)
        fprintf(out, ", and %s more", say_grouped(times - 1, text));
    if (outcome_text(leaf)[0])
        fprintf(out, "\n%s", outcome_text(leaf));
}

static void write_start(const struct drawing *drawing, const struct tree_node *node, FILE *out) {
    const struct session *session = drawing->source->session;
    const struct members *members = &session->result.reached.members;
    struct bound bound = {session->request.options.deepen, node->decision.chosen};
    char text[32];
    if (node->kind == TREE_ROOT)
        fputs("start", out);
    else if (node->decision.count < members->count && members->count <= MEMBERS_MAX)
        fprintf(out, "%.*s", MEMBER_NAME, members->rows[node->decision.count].name);
    else
        fputs(bound_text(bound, text), out);
}

static void write_count(uint64_t count, const char *what, FILE *out) {
    char text[GROUPED_SIZE];
    if (count > 0)
        fprintf(out, "%s %s", say_grouped(count, text), what);
}

/* "12 complete, 2 with findings, 3 given up" */
static void write_counts(const struct graph_counts *counts, const char *separator, FILE *out) {
    write_count(counts->complete, "complete", out);
    if (counts->complete && counts->found)
        fputs(separator, out);
    write_count(counts->found, counts->found == 1 ? "with a finding" : "with findings", out);
    if ((counts->complete || counts->found) && counts->others)
        fputs(separator, out);
    write_count(counts->others, "given up", out);
}

static void write_box(const struct drawing *drawing, uint32_t number, FILE *out) {
    const struct graph_box *box = &drawing->graph.boxes[number];
    const struct tree_node *node = &drawing->tree->nodes[box->first];
    if (box->left_out)
        write_counts(&box->counts, "\n", out);
    else if (node->kind == TREE_DECISION)
        write_chain(drawing, number, out);
    else if (node->kind == TREE_LEAF)
        write_leaf(node, out);
    else
        write_start(drawing, node, out);
}

static void write_boxes(struct drawing *drawing) {
    for (uint32_t i = 0; i < drawing->graph.box_count; i++) {
        size_t length;
        FILE *out = open_memstream(&drawing->graph.boxes[i].text, &length);
        CHECK(out);
        write_box(drawing, i, out);
        CHECK(fclose(out) == 0);
    }
}

/* --- the title ------------------------------------------------------------------------------ */

static void write_wrapped(const char *text, FILE *out) {
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > TITLE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        column += (size_t)fprintf(out, "%s%.*s", column ? " " : "", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void write_tasks(const struct trace *trace, FILE *out) {
    for (uint32_t i = 0; i < trace->task_count && i < TASKS_SHOWN; i++)
        fprintf(out, "%sT%" PRIu32 " %s", i ? ", " : "", i, trace->tasks[i].function);
    if (trace->task_count > TASKS_SHOWN)
        fprintf(out, ", and %" PRIu32 " more", trace->task_count - TASKS_SHOWN);
    fputc('\n', out);
}

static void write_left_out(const struct drawing *drawing, FILE *out) {
    const struct graph *graph = &drawing->graph;
    uint64_t races = graph->arrows_left_out + drawing->races_forgotten;
    char text[GROUPED_SIZE];
    if (graph->folded)
        fputs("steps without a branch are one box, which shows the first and the last\n", out);
    if (graph->left_out.complete + graph->left_out.found + graph->left_out.others > 0) {
        fputs("not drawn one by one: executions ", out);
        write_counts(&graph->left_out, ", ", out);
        fputc('\n', out);
    }
    if (races > 0)
        fprintf(out, "not drawn: %s other race%s or choice%s\n", say_grouped(races, text),
                races == 1 ? "" : "s", races == 1 ? "" : "s");
}

static char *make_title(const struct drawing *drawing, const struct judgement *judgement) {
    const struct session *session = drawing->source->session;
    char *title = NULL;
    size_t length;
    FILE *out = open_memstream(&title, &length);
    CHECK(out);
    fputs(trace_basename(drawing->source->program->path), out);
    for (char *const *word = drawing->source->arguments + 1; *word != NULL; word++)
        fprintf(out, " %s", *word);
    fprintf(out, ", strategy %s\n", session->request.options.strategy);
    write_wrapped(judgement->sentence, out);
    write_tasks(&drawing->trace, out);
    write_left_out(drawing, out);
    CHECK(fclose(out) == 0);
    title[length - 1] = '\0'; /* removes the last line feed */
    return title;
}

/* --- all of it ------------------------------------------------------------------------------ */

/* If the run explored nothing, the picture is a start only. */
bool graph_draw(const struct collect_source *source, const struct judgement *judgement, FILE *out) {
    static const struct tree nothing = {.count = 1};
    bool there = source->session->result.records.tree != NULL && sound_tree(source->session);
    struct drawing drawing = {.source = source,
                              .tree = there ? source->session->result.records.tree : &nothing};
    graph_init(&drawing.graph);
    add_nodes(&drawing);
    add_arrows(&drawing);
    graph_fold(&drawing.graph, BUDGET);
    name_boxes(&drawing);
    write_boxes(&drawing);
    char *title = make_title(&drawing, judgement);
    bool written = graph_write_dot(&drawing.graph, title, out);
    free(title);
    trace_destroy(&drawing.trace);
    graph_destroy(&drawing.graph);
    return written;
}
