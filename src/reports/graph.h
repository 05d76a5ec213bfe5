/* graph.h - the executions of a search as a picture: a tree of steps in which each leaf is an
 * execution.
 *
 * The graph is plain data. The caller adds nodes and arrows (graph_add_node, graph_add_arrow),
 * folds the graph to as many boxes as a reader can take in (graph_fold), gives each box its text,
 * and writes the graph (graph_write_dot).
 *
 * Folding draws everything if that fits. Else steps that follow each other without a branch become
 * one box. If the graph is still too large, folding draws the first execution, the ways to the
 * first findings, and nodes near the root; each subtree that is not drawn becomes one box with the
 * number of its executions. */
#ifndef REPORTS_GRAPH_H
#define REPORTS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum graph_kind {
    GRAPH_START,    /* the root, or the beginning of one of several searches */
    GRAPH_STEP,     /* a step, or a choice within one */
    GRAPH_COMPLETE, /* a leaf: an execution that came to its end */
    GRAPH_FOUND,    /* a leaf: an execution with a finding */
    GRAPH_SHORT,    /* a leaf: an execution that was given up (blocked, seen before, ...) */
};

/* Numbers of executions, by how they ended. */
struct graph_counts {
    uint64_t complete, found, others;
};

struct graph_node {
    uint32_t parent; /* a smaller number than its own; 0 for the first node */
    enum graph_kind kind;
    struct graph_counts counts; /* of a leaf, or of executions below that the tree lacks */
};

/* The two steps of a race. Some execution has both nodes. */
struct graph_arrow {
    uint32_t from, to; /* nodes */
    uint32_t times;
};

/* A box of the picture: one node, a chain of nodes, or (`left_out`) all that is not drawn below its
 * parent. */
struct graph_box {
    uint32_t parent;      /* a box with a smaller number */
    uint32_t first, last; /* nodes; with `left_out`, both are the node of the parent */
    uint32_t steps;       /* number of steps from first to last */
    bool left_out;
    struct graph_counts counts; /* of a leaf, or of the executions that are left out */
    char *text;                 /* owned; lines separated by '\n'; NULL: none */
};

struct graph {
    struct graph_node *nodes;
    struct graph_arrow *arrows;
    struct graph_box *boxes;
    uint32_t *box_of; /* by node: its box + 1; 0: the node is not drawn */
    uint32_t node_count, arrow_count, box_count;
    uint32_t node_capacity, arrow_capacity, box_capacity;
    bool folded;                  /* chains of nodes were made one box */
    uint64_t arrows_left_out;     /* arrows that cannot be drawn between two boxes */
    struct graph_counts left_out; /* executions whose leaf is not drawn */
};

void graph_init(struct graph *graph);
void graph_destroy(struct graph *graph);

uint32_t graph_add_node(struct graph *graph, uint32_t parent, enum graph_kind kind,
                        struct graph_counts counts);
/* An arrow between the same nodes as an earlier one is only counted. */
void graph_add_arrow(struct graph *graph, uint32_t from, uint32_t to);

/* Folds to at most `budget` boxes, which must be 8 or more. The same tree is always folded in the
 * same way. */
void graph_fold(struct graph *graph, uint32_t budget);

/* Writes the graph in the language of Graphviz. The lines of `title` are separated by '\n'. Returns
 * false if writing failed. */
bool graph_write_dot(const struct graph *graph, const char *title, FILE *out);

#endif
