/* tree.h - depth-first search of a part of the tree of executions.
 *
 * The search is like dfs.c, with three differences. The options of a state are taken in turn
 * from a given first one. Only `limit` of them are tried. Decisions before the `floor` are never
 * changed. */
#ifndef STRATEGIES_MINIMISE_TREE_H
#define STRATEGIES_MINIMISE_TREE_H

#include "base/pool.h"
#include "engine/system.h"

struct node {
    uint32_t first, tried; /* the option under way is `tried` options behind `first`, in turn */
    uint32_t limit, count; /* number of options to be tried, and of all options */
};

struct tree {
    struct pool *pool; /* borrowed */
    struct node *nodes;
    uint32_t depth, capacity;
    uint32_t floor;
    uint32_t position; /* number of decisions made in this execution */
};

void tree_init(struct tree *tree, struct pool *pool);

/* Empties the tree. The nodes that are pushed then are those of an execution that was tried
 * already. */
void tree_clear(struct tree *tree);
void tree_push(struct tree *tree, uint32_t first, uint32_t limit, uint32_t count);

/* Takes the next option of the deepest node that has one left, and makes this node the last one.
 * Returns false if no node has one. */
bool tree_next(struct tree *tree);

/* Returns true if another execution will come back to the last node. */
bool tree_returns(const struct tree *tree);

/* tree_repeats() returns true if the nodes prescribe the next decision. tree_repeat() returns its
 * option, or choice->count if the number of options has changed. */
bool tree_repeats(const struct tree *tree);
uint32_t tree_repeat(struct tree *tree, const struct choice *choice);

#endif
