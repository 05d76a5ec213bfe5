/* tree.c - see tree.h. */
#include "strategies/minimise/tree.h"

void tree_init(struct tree *tree, struct pool *pool) {
    *tree = (struct tree){.pool = pool};
}

void tree_clear(struct tree *tree) {
    tree->depth = tree->floor = tree->position = 0;
}

void tree_push(struct tree *tree, uint32_t first, uint32_t limit, uint32_t count) {
    tree->nodes = pool_grow(tree->pool, tree->nodes, &tree->capacity, (size_t)tree->depth + 1,
                            sizeof *tree->nodes);
    tree->nodes[tree->depth++] = (struct node){first, 0, limit, count};
    tree->position = tree->depth;
}

bool tree_next(struct tree *tree) {
    tree->position = 0;
    while (tree->depth > tree->floor) {
        struct node *last = &tree->nodes[tree->depth - 1];
        if (++last->tried < last->limit)
            return true;
        tree->depth--;
    }
    return false;
}

bool tree_returns(const struct tree *tree) {
    const struct node *last = &tree->nodes[tree->depth - 1];
    return last->tried + 1 < last->limit;
}

bool tree_repeats(const struct tree *tree) {
    return tree->position < tree->depth;
}

uint32_t tree_repeat(struct tree *tree, const struct choice *choice) {
    const struct node *node = &tree->nodes[tree->position++];
    return node->count == choice->count ? (node->first + node->tried) % node->count : choice->count;
}
