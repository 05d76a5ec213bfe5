/* graph.h - the executions of a search as a picture: a tree of steps, a leaf an execution.
 *
 * Plain data: whoever has a tree fills in nodes and arrows (graph_add_node, graph_add_arrow), folds it
 * (graph_fold) to as many boxes as a reader can take in, gives each box its text, and writes it
 * (graph_write_dot). Folding decides what is drawn, in this order: everything, if that fits; else steps
 * that follow each other without a branch are one box; and if that is still too much, the first
 * execution, the ways to the first findings and what is near the root are drawn, and each subtree that is not becomes one box that
 * says how many executions are in it. */
#ifndef REPORTS_GRAPH_H
#define REPORTS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum graph_kind {
    GRAPH_START,    /* the root, or where a search of several begins */
    GRAPH_STEP,     /* a step, or a choice within one */
    GRAPH_COMPLETE, /* a leaf: an execution that came to its end, */
    GRAPH_FOUND,    /* one that found something, */
    GRAPH_SHORT,    /* one that was given up: blocked, seen before, ... */
};

/* Executions, by what came of them. */
struct graph_counts {
    uint64_t complete, found, others;
};

struct graph_node {
    uint32_t parent; /* comes before it; of the first node, 0 */
    enum graph_kind kind;
    struct graph_counts counts; /* of a leaf; else those below it that are not in the tree */
};

/* The pair of a race: the execution has both nodes. */
struct graph_arrow {
    uint32_t from, to; /* nodes */
    uint32_t times;
};

/* What is drawn: one node, a chain of nodes, or (`left_out`) whatever else is below its parent. */
struct graph_box {
    uint32_t parent;      /* box; comes before it */
    uint32_t first, last; /* nodes; of what is left out, that of the parent */
    uint32_t steps;       /* from first to last */
    bool left_out;
    struct graph_counts counts; /* of a leaf, and of what is left out */
    char *text;                 /* owned; lines separated by '\n'; NULL: none */
};

struct graph {
    struct graph_node *nodes;
    struct graph_arrow *arrows;
    struct graph_box *boxes;
    uint32_t *box_of; /* of a node: its box + 1, 0 if it is not drawn */
    uint32_t node_count, arrow_count, box_count;
    uint32_t node_capacity, arrow_capacity, box_capacity;
    bool folded;                  /* chains are boxes */
    uint64_t arrows_left_out;     /* an end of them is not drawn, or both are in one box */
    struct graph_counts left_out; /* executions that have no leaf */
};

void graph_init(struct graph *graph);
void graph_destroy(struct graph *graph);

uint32_t graph_add_node(struct graph *graph, uint32_t parent, enum graph_kind kind,
                        struct graph_counts counts);
/* The same once more is counted. */
void graph_add_arrow(struct graph *graph, uint32_t from, uint32_t to);

/* To at most `budget` boxes, of at least 8. Always the same way for the same tree. */
void graph_fold(struct graph *graph, uint32_t budget);

/* `title`: lines separated by '\n'. In the language of Graphviz. False if it could not be written. */
bool graph_write_dot(const struct graph *graph, const char *title, FILE *out);

#endif
