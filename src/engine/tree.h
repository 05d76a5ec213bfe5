/* tree.h - the executions of a search as one tree: the decisions, their events, and how each
 * execution ended.
 *
 * The tree is recorded only if an output needs it (options.tree). Each execution is added when it
 * is over. It follows the existing nodes as long as its decisions agree with them; the rest of it
 * becomes new nodes. If the same execution comes again, it is counted at its leaf. The first
 * TREE_NODES nodes are for all executions, and TREE_NODES_FOUND more are for executions with
 * findings. If there is no room for an execution, it is only counted, at the node where it leaves
 * the tree. Everything is in one block of the session's pool, of which only the used part takes
 * memory.
 *
 * A node comes after its parent, and `parent` alone is enough to read the tree. So the tree is
 * valid even if a process died while it added an execution. */
#ifndef ENGINE_TREE_H
#define ENGINE_TREE_H

#include "base/pool.h"
#include "engine/system.h"
#include "event/event.h"
#include "execution/execution.h"
#include "execution/finding.h"

enum { TREE_NODES = 1 << 17, TREE_NODES_FOUND = 1 << 17 };

enum tree_kind {
    TREE_ROOT,     /* before the first decision: node 0 */
    TREE_SEARCH,   /* the beginning of one of several searches, or of a member of a strategy */
    TREE_DECISION, /* a decision, and its event if it has one */
    TREE_LEAF,     /* an execution ended here */
};

/* The number of executions, by their outcome. */
struct tree_counts {
    uint32_t complete; /* without a finding */
    uint32_t found;
    uint32_t others; /* blocked, idle, seen before, cut and so on */
};

struct tree_node {
    uint32_t parent, child, next; /* 0: none */
    uint8_t kind;                 /* enum tree_kind */
    uint8_t outcome;              /* leaf: enum outcome */
    uint8_t finding;              /* leaf: the kind of the first finding; FINDING_KINDS: none */
    bool happened;                /* decision: `event` is valid */
    struct decision decision; /* search: `chosen` is the limit of a bound, `count` is the member */
    struct event event;
    uint64_t execution; /* leaf: the number of its first execution, from 1 */
    struct tree_counts
        /* leaf: how often this execution came; other nodes: executions that leave the tree here */
        counts;
};

struct tree {
    uint32_t count;
    uint32_t last; /* the leaf of the last execution; 0: it was not recorded */
    struct tree_node nodes[TREE_NODES + TREE_NODES_FOUND];
};

/* How an execution ended. */
struct tree_end {
    uint64_t execution; /* its number */
    bool several;       /* there are several searches; the next two members say which one this is */
    uint32_t limit;     /* the limit of its bound */
    uint32_t member;    /* the member that made it */
    enum outcome outcome;
    enum finding_kind finding; /* the first finding; FINDING_KINDS: none */
};

struct tree *tree_create(struct pool *pool);

/* Does nothing if `tree` is NULL. */
void tree_add(struct tree *tree, const struct execution *execution, const struct tree_end *end);

/* The finding of the last execution did not come again, so it does not count. */
void tree_retract(struct tree *tree);

/* Adds the executions of another worker. `pool` lends memory for the time of the call. */
void tree_merge(struct tree *into, const struct tree *from, struct pool *pool);

#endif
