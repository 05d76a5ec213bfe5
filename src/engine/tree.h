/* tree.h - the executions of a search as one tree: what was decided, what came of each decision, how
 * each execution ended.
 *
 * Recorded only when somebody wants to see it (options.tree). Each execution is added when it is over:
 * it follows the nodes that are there as far as its decisions agree with them, and the rest is new. The
 * same execution once more is counted at its leaf. The first TREE_NODES nodes are for whatever comes,
 * TREE_NODES_FOUND more for executions with findings; one for which there is no room is only counted, at
 * the node where it leaves what is recorded. Everything stands in one block of the session's pool, which
 * is as large in memory as what was written to it.
 *
 * A node comes after its parent: who reads the tree needs `parent` only, and a tree that was left in the
 * middle of an addition is one all the same. */
#ifndef ENGINE_TREE_H
#define ENGINE_TREE_H

#include "base/pool.h"
#include "engine/system.h"
#include "trace/execution.h"
#include "trace/finding.h"

enum { TREE_NODES = 1 << 17, TREE_NODES_FOUND = 1 << 17 };

enum tree_kind {
    TREE_ROOT,     /* before the first decision: node 0 */
    TREE_SEARCH,   /* one of several searches, or members of a strategy */
    TREE_DECISION, /* with the event that came of it, if any */
    TREE_LEAF,     /* an execution ended here */
};

/* Executions by what came of them. */
struct tree_counts {
    uint32_t complete; /* without a finding */
    uint32_t found;
    uint32_t others; /* blocked, idle, seen before, cut, ... */
};

struct tree_node {
    uint32_t parent, child, next; /* 0: none */
    uint8_t kind;                 /* enum tree_kind */
    uint8_t outcome;              /* leaf: enum outcome */
    uint8_t finding;              /* leaf: the first one; FINDING_KINDS: none */
    bool happened;                /* decision: there is an event */
    struct decision decision;     /* search: chosen is the limit of a bound, count the member */
    struct event event;
    uint64_t execution; /* leaf: the how many-th it was, from 1, the first time */
    struct tree_counts
        counts; /* leaf: how often it came; else executions that leave the tree here */
};

struct tree {
    uint32_t count;
    uint32_t last; /* the leaf of the last execution, or 0: it was not recorded */
    struct tree_node nodes[TREE_NODES + TREE_NODES_FOUND];
};

/* An execution that is over. */
struct tree_end {
    uint64_t execution; /* the how many-th */
    bool several;       /* there is more than one search: this is the one */
    uint32_t limit;     /* within that bound, */
    uint32_t member;    /* by that member */
    enum outcome outcome;
    enum finding_kind finding; /* FINDING_KINDS: none */
};

struct tree *tree_create(struct pool *pool);

/* Nothing happens without a tree. */
void tree_add(struct tree *tree, const struct execution *execution, const struct tree_end *end);

/* What the last execution found did not come again: it is no finding. */
void tree_retract(struct tree *tree);

#endif
