/* graph.c - see graph.h: the nodes, and the choice of those that are drawn. */
#include "reports/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* --- nodes and arrows ----------------------------------------------------------------------- */

void graph_init(struct graph *graph) {
    memset(graph, 0, sizeof *graph);
}

void graph_destroy(struct graph *graph) {
    for (uint32_t i = 0; i < graph->box_count; i++)
        free(graph->boxes[i].text);
    free(graph->boxes);
    free(graph->box_of);
    free(graph->nodes);
    free(graph->arrows);
    graph_init(graph);
}

static void *grow(void *items, uint32_t *capacity, uint32_t count, size_t element) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 64;
    items = realloc(items, *capacity * element);
    CHECK(items != NULL);
    return items;
}

uint32_t graph_add_node(struct graph *graph, uint32_t parent, enum graph_kind kind,
                        struct graph_counts counts) {
    CHECK(parent < graph->node_count || graph->node_count == 0);
    graph->nodes =
        grow(graph->nodes, &graph->node_capacity, graph->node_count, sizeof *graph->nodes);
    graph->nodes[graph->node_count] = (struct graph_node){parent, kind, counts};
    return graph->node_count++;
}

void graph_add_arrow(struct graph *graph, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < graph->arrow_count; i++)
        if (graph->arrows[i].from == from && graph->arrows[i].to == to) {
            graph->arrows[i].times++;
            return;
        }
    graph->arrows =
        grow(graph->arrows, &graph->arrow_capacity, graph->arrow_count, sizeof *graph->arrows);
    graph->arrows[graph->arrow_count++] = (struct graph_arrow){from, to, 1};
}

/* --- boxes ---------------------------------------------------------------------------------- */

static bool is_leaf(const struct graph_node *node) {
    return node->kind > GRAPH_STEP;
}

static uint64_t total(const struct graph_counts *counts) {
    return counts->complete + counts->found + counts->others;
}

static void add_counts(struct graph_counts *to, const struct graph_counts *from) {
    to->complete += from->complete;
    to->found += from->found;
    to->others += from->others;
}

static uint32_t add_box(struct graph *graph, const struct graph_box *box) {
    graph->boxes = grow(graph->boxes, &graph->box_capacity, graph->box_count, sizeof *graph->boxes);
    graph->boxes[graph->box_count] = *box;
    return graph->box_count++;
}

/* Facts about each node, for folding. */
struct fold {
    struct graph *graph;
    uint32_t *children;          /* number of children */
    struct graph_counts *within; /* executions at the node and below */
    bool *joins;                 /* the node is in one box with its parent */
    uint32_t *depth;             /* number of boxes from the root */
    bool *drawn;
};

static void *zeros(uint32_t count, size_t element) {
    void *items = calloc(count + 1, element);
    CHECK(items != NULL);
    return items;
}

static void fold_init(struct fold *fold, struct graph *graph) {
    uint32_t count = graph->node_count;
    *fold = (struct fold){.graph = graph,
                          .children = zeros(count, sizeof *fold->children),
                          .within = zeros(count, sizeof *fold->within),
                          .joins = zeros(count, sizeof *fold->joins),
                          .depth = zeros(count, sizeof *fold->depth),
                          .drawn = zeros(count, sizeof *fold->drawn)};
    for (uint32_t i = count; i-- > 0;) {
        add_counts(&fold->within[i], &graph->nodes[i].counts);
        if (i > 0) {
            fold->children[graph->nodes[i].parent]++;
            add_counts(&fold->within[graph->nodes[i].parent], &fold->within[i]);
        }
    }
}

static void fold_destroy(struct fold *fold) {
    free(fold->children);
    free(fold->within);
    free(fold->joins);
    free(fold->depth);
    free(fold->drawn);
}

/* Whether the node needs a box below it, for executions that are not in the tree. */
static bool needs_rest(const struct fold *fold, uint32_t node) {
    const struct graph_node *at = &fold->graph->nodes[node];
    return !is_leaf(at) && total(&at->counts) > 0;
}

/* Joins steps that follow each other without a branch. */
static void join_chains(struct fold *fold) {
    const struct graph_node *nodes = fold->graph->nodes;
    for (uint32_t i = 1; i < fold->graph->node_count; i++) {
        uint32_t parent = nodes[i].parent;
        fold->joins[i] = nodes[i].kind == GRAPH_STEP && nodes[parent].kind == GRAPH_STEP &&
                         fold->children[parent] == 1 && !needs_rest(fold, parent);
    }
    fold->graph->folded = true;
}

/* The number of boxes if everything were drawn. */
static uint64_t boxes_wanted(const struct fold *fold) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < fold->graph->node_count; i++)
        count += (uint64_t)!fold->joins[i] + needs_rest(fold, i);
    return count;
}

static void draw_all(struct fold *fold) {
    memset(fold->drawn, true, fold->graph->node_count * sizeof *fold->drawn);
}

/* Draws the node and all nodes above it, if that takes at most `left` more boxes. Returns the
 * number of boxes. */
static uint32_t draw_way(struct fold *fold, uint32_t node, uint32_t left) {
    const struct graph_node *nodes = fold->graph->nodes;
    uint32_t needed = 0, at;
    for (at = node; !fold->drawn[at]; at = nodes[at].parent) {
        needed += !fold->joins[at];
        if (at == 0)
            break;
    }
    if (needed > left)
        return 0;
    for (at = node; !fold->drawn[at]; at = nodes[at].parent)
        fold->drawn[at] = true;
    return needed;
}

/* Draws each node that is in one box with a parent that is drawn. */
static void draw_chains(struct fold *fold) {
    for (uint32_t i = 1; i < fold->graph->node_count; i++)
        if (fold->joins[i] && fold->drawn[fold->graph->nodes[i].parent])
            fold->drawn[i] = true;
}

static uint32_t find_depths(struct fold *fold) {
    const struct graph_node *nodes = fold->graph->nodes;
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < fold->graph->node_count; i++) {
        fold->depth[i] = fold->depth[nodes[i].parent] + !fold->joins[i];
        if (fold->depth[i] > deepest)
            deepest = fold->depth[i];
    }
    return deepest;
}

/* The first leaf, or the root if there is none. */
static uint32_t first_leaf(const struct graph *graph) {
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (is_leaf(&graph->nodes[i]))
            return i;
    return 0;
}

/* Draws half of the boxes. Each of them may need another box for the executions that are left out
 * below it. */
static void draw_some(struct fold *fold, uint32_t budget) {
    const struct graph *graph = fold->graph;
    uint32_t left = budget / 2 - draw_way(fold, 0, 1);
    left -= draw_way(fold, first_leaf(graph), left / 2);
    uint32_t for_findings = left / 2;
    for (uint32_t i = 0; i < graph->node_count && for_findings > 0; i++)
        if (graph->nodes[i].kind == GRAPH_FOUND) {
            uint32_t drawn = draw_way(fold, i, for_findings);
            for_findings -= drawn;
            left -= drawn;
        }
    uint32_t deepest = find_depths(fold);
    for (uint32_t depth = 1; depth <= deepest && left > 0; depth++)
        for (uint32_t i = 1; i < graph->node_count && left > 0; i++)
            if (fold->depth[i] == depth && !fold->joins[i] && !fold->drawn[i])
                left -= draw_way(fold, i, left);
    draw_chains(fold);
}

/* The executions below a drawn node whose own leaf is not drawn. */
static struct graph_counts rest_of(const struct fold *fold, uint32_t node,
                                   const struct graph_counts *below) {
    struct graph_counts rest = fold->within[node];
    rest.complete -= below[node].complete;
    rest.found -= below[node].found;
    rest.others -= below[node].others;
    return rest;
}

/* For each node, the executions that are below those of its children that are drawn. */
static struct graph_counts *drawn_below(const struct fold *fold) {
    const struct graph *graph = fold->graph;
    struct graph_counts *below = zeros(graph->node_count, sizeof *below);
    for (uint32_t i = 1; i < graph->node_count; i++)
        if (fold->drawn[i])
            add_counts(&below[graph->nodes[i].parent], &fold->within[i]);
    return below;
}

static void make_box(struct fold *fold, uint32_t node) {
    struct graph *graph = fold->graph;
    const struct graph_node *at = &graph->nodes[node];
    if (fold->joins[node]) {
        uint32_t box = graph->box_of[at->parent] - 1;
        graph->boxes[box].last = node;
        graph->boxes[box].steps++;
        graph->box_of[node] = box + 1;
        return;
    }
    struct graph_box box = {.parent = node > 0 ? graph->box_of[at->parent] - 1 : 0,
                            .first = node,
                            .last = node,
                            .steps = at->kind == GRAPH_STEP};
    if (is_leaf(at))
        box.counts = at->counts;
    graph->box_of[node] = add_box(graph, &box) + 1;
}

static void make_boxes(struct fold *fold) {
    struct graph *graph = fold->graph;
    struct graph_counts *below = drawn_below(fold);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (fold->drawn[i])
            make_box(fold, i);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct graph_counts rest = rest_of(fold, i, below);
        if (!fold->drawn[i] || is_leaf(&graph->nodes[i]) || total(&rest) == 0)
            continue;
        add_counts(&graph->left_out, &rest);
        add_box(graph, &(struct graph_box){.parent = graph->box_of[i] - 1,
                                           .first = i,
                                           .last = i,
                                           .left_out = true,
                                           .counts = rest});
    }
    free(below);
}

static void count_arrows(struct graph *graph) {
    for (uint32_t i = 0; i < graph->arrow_count; i++) {
        uint32_t from = graph->box_of[graph->arrows[i].from];
        uint32_t to = graph->box_of[graph->arrows[i].to];
        if (from == 0 || to == 0 || from == to)
            graph->arrows_left_out += graph->arrows[i].times;
    }
}

void graph_fold(struct graph *graph, uint32_t budget) {
    struct fold fold;
    CHECK(budget >= 8 && graph->node_count > 0 && graph->box_count == 0);
    fold_init(&fold, graph);
    graph->box_of = zeros(graph->node_count, sizeof *graph->box_of);
    if (boxes_wanted(&fold) > budget)
        join_chains(&fold);
    if (boxes_wanted(&fold) > budget)
        draw_some(&fold, budget);
    else
        draw_all(&fold);
    make_boxes(&fold);
    count_arrows(graph);
    fold_destroy(&fold);
}
