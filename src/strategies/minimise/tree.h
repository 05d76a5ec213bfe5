/* tree.h - depth-first search of a part of the tree of executions.
 *
 * As dfs.c, but the options of a state are taken round from a first one, only so many of them (its
 * `limit`), and what lies before the `floor` is left alone. */
#ifndef STRATEGIES_MINIMISE_TREE_H
#define STRATEGIES_MINIMISE_TREE_H

#include "base/pool.h"
#include "engine/system.h"

struct node {
    uint32_t first, tried; /* the option under way is the tried-th behind the first */
    uint32_t limit, count; /* so many options are tried, of so many */
};

struct tree {
    struct pool *pool; /* borrowed */
    struct node *nodes;
    uint32_t depth, capacity;
    uint32_t floor;
    uint32_t position; /* decisions made in this execution */
};

void tree_init(struct tree *tree, struct pool *pool);

/* Nothing was tried yet; the nodes that are pushed first are those of an execution that was. */
void tree_clear(struct tree *tree);
void tree_push(struct tree *tree, uint32_t first, uint32_t limit, uint32_t count);

/* The deepest node with an option left takes it, and is the last one. False: none is left. */
bool tree_next(struct tree *tree);

/* Another execution will come back to the last node. */
bool tree_returns(const struct tree *tree);

/* Are decisions left that the nodes prescribe? Then which option; choice->count if it has changed. */
bool tree_repeats(const struct tree *tree);
uint32_t tree_repeat(struct tree *tree, const struct choice *choice);

#endif
