/* tree.c - see tree.h. */
#include "engine/tree.h"

#include <stddef.h>

struct tree *tree_create(struct pool *pool) {
    struct tree *tree = pool_alloc(pool, sizeof *tree);
    tree->nodes[0].kind = TREE_ROOT;
    tree->count = 1;
    return tree;
}

/* --- nodes ---------------------------------------------------------------------------------- */

/* Appends a node to the children of `parent`. The node is filled in before it is linked. */
static uint32_t append(struct tree *tree, uint32_t parent, const struct tree_node *filled) {
    uint32_t added = tree->count, *link = &tree->nodes[parent].child;
    tree->nodes[added] = *filled;
    tree->nodes[added].parent = parent;
    while (*link != 0)
        link = &tree->nodes[*link].next;
    tree->count++;
    *link = added;
    return added;
}

static bool same_decision(const struct decision *a, const struct decision *b) {
    return a->chosen == b->chosen && a->tag == b->tag;
}

static bool same_node(const struct tree_node *a, const struct tree_node *b) {
    if (a->kind != b->kind)
        return false;
    switch ((enum tree_kind)a->kind) {
    case TREE_ROOT: return true;
    case TREE_SEARCH:
        return same_decision(&a->decision, &b->decision) && a->decision.count == b->decision.count;
    case TREE_DECISION: return same_decision(&a->decision, &b->decision);
    case TREE_LEAF: return a->outcome == b->outcome && a->finding == b->finding;
    }
    return false;
}

/* The child with the same content, or 0. */
static uint32_t find(const struct tree *tree, uint32_t parent, const struct tree_node *wanted) {
    uint32_t child = tree->nodes[parent].child;
    while (child != 0 && !same_node(&tree->nodes[child], wanted))
        child = tree->nodes[child].next;
    return child;
}

/* --- an execution --------------------------------------------------------------------------- */

/* Events are numbered from the start of the execution. Its first events may not be recorded. */
static const struct event *event_between(const struct execution *execution, uint32_t from,
                                         uint32_t to) {
    uint32_t skipped = execution->skipped;
    for (uint32_t at = from > skipped ? from - skipped : 0; at + skipped < to; at++)
        if (!(execution->events[at].flags & EVENT_NOTE))
            return &execution->events[at];
    return NULL;
}

/* The event of a decision, if it comes before the next decision. */
static const struct event *event_of(const struct execution *execution, uint32_t index) {
    uint32_t from = execution->decisions[index].event;
    uint32_t to = execution->skipped + execution->event_count;
    if (from == 0) /* the decision was made in an execution that is forgotten */
        return NULL;
    if (index + 1 < execution->decision_count)
        to = execution->decisions[index + 1].event - 1;
    return event_between(execution, from - 1, to);
}

static struct tree_node node_of(const struct execution *execution, uint32_t index) {
    struct tree_node node = {.kind = TREE_DECISION, .decision = execution->decisions[index]};
    const struct event *event = event_of(execution, index);
    if (event != NULL) {
        node.happened = true;
        node.event = *event;
        node.event.stack = node.event.note = 0; /* these are valid in the execution only */
    }
    return node;
}

static struct tree_counts count_of(const struct tree_end *end) {
    if (end->finding != FINDING_KINDS)
        return (struct tree_counts){.found = 1};
    if (end->outcome == OUTCOME_ENDED || end->outcome == OUTCOME_STUCK ||
        end->outcome == OUTCOME_FAILED)
        return (struct tree_counts){.complete = 1};
    return (struct tree_counts){.others = 1};
}

static void count(struct tree *tree, uint32_t node, const struct tree_end *end) {
    struct tree_counts more = count_of(end), *counts = &tree->nodes[node].counts;
    counts->complete += more.complete;
    counts->found += more.found;
    counts->others += more.others;
}

static bool has_room(const struct tree *tree, uint32_t needed, const struct tree_end *end) {
    uint32_t limit = TREE_NODES + (end->finding != FINDING_KINDS ? TREE_NODES_FOUND : 0);
    return tree->count < limit && needed <= limit - tree->count;
}

/* The node where the search of this execution begins. There is always room for it. */
static uint32_t begin(struct tree *tree, const struct tree_end *end) {
    struct tree_node node = {.kind = TREE_SEARCH,
                             .decision = {.chosen = end->limit, .count = end->member}};
    if (!end->several)
        return 0;
    uint32_t found = find(tree, 0, &node);
    if (found != 0 || !has_room(tree, 1, end))
        return found;
    return append(tree, 0, &node);
}

void tree_add(struct tree *tree, const struct execution *execution, const struct tree_end *end) {
    const struct tree_node leaf = {.kind = TREE_LEAF,
                                   .outcome = (uint8_t)end->outcome,
                                   .finding = (uint8_t)end->finding,
                                   .execution = end->execution};
    if (tree == NULL)
        return;
    uint32_t at = begin(tree, end), index = 0, child = 0;
    for (; index < execution->decision_count; index++, at = child) {
        struct tree_node wanted = {.kind = TREE_DECISION, .decision = execution->decisions[index]};
        if ((child = find(tree, at, &wanted)) == 0)
            break;
    }
    bool known = index == execution->decision_count;
    tree->last = known ? find(tree, at, &leaf) : 0;
    if (tree->last == 0 && has_room(tree, execution->decision_count - index + 1, end)) {
        for (; index < execution->decision_count; index++) {
            struct tree_node node = node_of(execution, index);
            at = append(tree, at, &node);
        }
        tree->last = append(tree, at, &leaf);
    }
    count(tree, tree->last != 0 ? tree->last : at, end);
}

void tree_retract(struct tree *tree) {
    if (tree == NULL || tree->last == 0)
        return;
    struct tree_node *leaf = &tree->nodes[tree->last];
    leaf->finding = FINDING_KINDS;
    leaf->counts.others += leaf->counts.found;
    leaf->counts.found = 0;
}

/* --- merging -------------------------------------------------------------------------------- */

/* the tree has no room for this node; the rest of the number is the node above it */
#define NO_ROOM 0x80000000u

static void add_counts(struct tree_counts *into, const struct tree_counts *from) {
    into->complete += from->complete;
    into->found += from->found;
    into->others += from->others;
}

/* The place of a node whose parent is at `parent`. */
static uint32_t place_node(struct tree *tree, uint32_t parent, const struct tree_node *node) {
    bool found = node->kind == TREE_LEAF && node->finding != FINDING_KINDS;
    if (parent & NO_ROOM)
        return parent;
    uint32_t same = find(tree, parent, node);
    if (same != 0)
        return same;
    if (tree->count >= (uint32_t)TREE_NODES + (found ? TREE_NODES_FOUND : 0))
        return parent | NO_ROOM;
    struct tree_node copy = *node;
    copy.child = copy.next = 0;
    copy.counts = (struct tree_counts){0};
    return append(tree, parent, &copy);
}

void tree_merge(struct tree *into, const struct tree *from, struct pool *pool) {
    size_t size = from->count * sizeof(uint32_t);
    uint32_t *places = pool_alloc(pool, size); /* of the nodes of `from`: their places in `into` */
    for (uint32_t i = 0; i < from->count; i++) {
        const struct tree_node *node = &from->nodes[i];
        places[i] = i == 0 ? 0 : place_node(into, places[node->parent], node);
        add_counts(&into->nodes[places[i] & ~NO_ROOM].counts, &node->counts);
    }
    into->last = 0;
    pool_free(pool, places, size);
}
