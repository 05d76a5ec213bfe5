/* cxx_containers.c - the parts of std::map, std::set and std::list that live in libstdc++.so.
 *
 * The headers of these containers leave their trees and links to functions of the library. Those
 * functions are not instrumented, so an insertion that races with a search would not be seen.
 * This file has the same functions on the same nodes. Each access is told to the analyses before
 * it is made, as an instrumented one would be. The tree is red-black as in CLRS ch. 13; the
 * library promises no more about it. Nothing of the library is called, so the library may be
 * linked statically.
 *
 * The layout of the nodes is part of the library's ABI. A header node stands for the end: its
 * parent is the root, its left node the first one, its right node the last one. The header is
 * red, which tells it from the root.
 *
 * Left out: functions that only binaries from before 2011 call, and the debug mode's count of
 * black nodes. */
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"

/* --- accesses that are told ------------------------------------------------------------------ */

#define GET(node, field) \
    ({ \
        access_for((uint64_t) & (node)->field, sizeof(node)->field, false, pc); \
        (node)->field; \
    })
#define SET(node, field, new_value) \
    ({ \
        access_for((uint64_t) & (node)->field, sizeof(node)->field, true, pc); \
        (node)->field = (new_value); \
    })

/* --- trees ----------------------------------------------------------------------------------- */

struct map_node {
    uint32_t black;
    struct map_node *parent, *left, *right;
};

static struct map_node *first_below(struct map_node *node, uint64_t pc) {
    for (struct map_node *left; (left = GET(node, left)) != NULL;)
        node = left;
    return node;
}

static struct map_node *last_below(struct map_node *node, uint64_t pc) {
    for (struct map_node *right; (right = GET(node, right)) != NULL;)
        node = right;
    return node;
}

/* `node` takes the place of `old` below the parent of `old`. */
static void replace_below_parent(struct map_node *old, struct map_node *node,
                                 struct map_node *header, uint64_t pc) {
    struct map_node *parent = GET(old, parent);
    if (parent == header)
        SET(header, parent, node);
    else if (GET(parent, left) == old)
        SET(parent, left, node);
    else
        SET(parent, right, node);
}

static void rotate_left(struct map_node *node, struct map_node *header, uint64_t pc) {
    struct map_node *up = GET(node, right), *middle = GET(up, left);
    SET(node, right, middle);
    if (middle != NULL)
        SET(middle, parent, node);
    SET(up, parent, GET(node, parent));
    replace_below_parent(node, up, header, pc);
    SET(up, left, node);
    SET(node, parent, up);
}

static void rotate_right(struct map_node *node, struct map_node *header, uint64_t pc) {
    struct map_node *up = GET(node, left), *middle = GET(up, right);
    SET(node, left, middle);
    if (middle != NULL)
        SET(middle, parent, node);
    SET(up, parent, GET(node, parent));
    replace_below_parent(node, up, header, pc);
    SET(up, right, node);
    SET(node, parent, up);
}

/* Rotates the node down to the given side. */
static void rotate(struct map_node *node, bool left, struct map_node *header, uint64_t pc) {
    if (left)
        rotate_left(node, header, pc);
    else
        rotate_right(node, header, pc);
}

static bool is_black(struct map_node *node, uint64_t pc) {
    return node == NULL || GET(node, black);
}

/* A red node with a red parent: CLRS, RB-INSERT-FIXUP. */
static void repair_insertion(struct map_node *node, struct map_node *header, uint64_t pc) {
    while (GET(header, parent) != node) {
        struct map_node *parent = GET(node, parent);
        if (GET(parent, black))
            break;
        struct map_node *grandparent = GET(parent, parent);
        bool left = GET(grandparent, left) == parent;
        struct map_node *uncle = left ? GET(grandparent, right) : GET(grandparent, left);
        if (!is_black(uncle, pc)) {
            SET(parent, black, true);
            SET(uncle, black, true);
            SET(grandparent, black, false);
            node = grandparent;
            continue;
        }
        if ((left ? GET(parent, right) : GET(parent, left)) == node) {
            rotate(parent, left, header, pc);
            parent = node;
        }
        SET(parent, black, true);
        SET(grandparent, black, false);
        rotate(grandparent, !left, header, pc);
        break;
    }
    struct map_node *root = GET(header, parent);
    SET(root, black, true);
}

/* std::_Rb_tree_insert_and_rebalance */
EXPORT void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, struct map_node *node, struct map_node *parent, struct map_node *header) {
    uint64_t pc = CALLER;
    SET(node, parent, parent);
    SET(node, left, NULL);
    SET(node, right, NULL);
    SET(node, black, false);
    if (left) {
        SET(parent, left, node); /* of the header, this is the first node */
        if (parent == header) {
            SET(header, parent, node);
            SET(header, right, node);
        } else if (GET(header, left) == parent) {
            SET(header, left, node);
        }
    } else {
        SET(parent, right, node);
        if (GET(header, right) == parent)
            SET(header, right, node);
    }
    repair_insertion(node, header, pc);
}

/* One black node is missing below `parent` where `node` is: CLRS, RB-DELETE-FIXUP. */
static void repair_removal(struct map_node *node, struct map_node *parent, struct map_node *header,
                           uint64_t pc) {
    while (GET(header, parent) != node && is_black(node, pc)) {
        bool left = GET(parent, left) == node;
        struct map_node *sibling = left ? GET(parent, right) : GET(parent, left);
        if (!GET(sibling, black)) {
            SET(sibling, black, true);
            SET(parent, black, false);
            rotate(parent, left, header, pc);
            sibling = left ? GET(parent, right) : GET(parent, left);
        }
        struct map_node *near = left ? GET(sibling, left) : GET(sibling, right);
        struct map_node *far = left ? GET(sibling, right) : GET(sibling, left);
        if (is_black(near, pc) && is_black(far, pc)) {
            SET(sibling, black, false);
            node = parent;
            parent = GET(node, parent);
            continue;
        }
        if (is_black(far, pc)) {
            SET(near, black, true);
            SET(sibling, black, false);
            rotate(sibling, !left, header, pc);
            far = sibling;
            sibling = near;
        }
        SET(sibling, black, GET(parent, black));
        SET(parent, black, true);
        SET(far, black, true);
        rotate(parent, left, header, pc);
        return;
    }
    if (node != NULL)
        SET(node, black, true);
}

/* The successor of `gone`, which has two children, takes its place and its colour. Returns the
 * parent of the place that the successor leaves; *below is the node that moves up there. */
static struct map_node *put_successor(struct map_node *gone, struct map_node *header,
                                      struct map_node **below, bool *black, uint64_t pc) {
    struct map_node *right = GET(gone, right), *left = GET(gone, left);
    struct map_node *next = first_below(right, pc), *parent = next;
    *below = GET(next, right);
    *black = GET(next, black);
    if (next != right) {
        parent = GET(next, parent);
        SET(parent, left, *below);
        if (*below != NULL)
            SET(*below, parent, parent);
        SET(next, right, right);
        SET(right, parent, next);
    }
    SET(next, left, left);
    SET(left, parent, next);
    replace_below_parent(gone, next, header, pc);
    SET(next, parent, GET(gone, parent));
    SET(next, black, GET(gone, black));
    return parent;
}

/* `gone` has one child or none. */
static struct map_node *put_child(struct map_node *gone, struct map_node *header,
                                  struct map_node **below, bool *black, uint64_t pc) {
    struct map_node *parent = GET(gone, parent), *left = GET(gone, left);
    *below = left != NULL ? left : GET(gone, right);
    *black = GET(gone, black);
    if (*below != NULL)
        SET(*below, parent, parent);
    if (GET(header, left) == gone)
        SET(header, left, *below != NULL ? first_below(*below, pc) : parent);
    if (GET(header, right) == gone)
        SET(header, right, *below != NULL ? last_below(*below, pc) : parent);
    replace_below_parent(gone, *below, header, pc);
    return parent;
}

/* std::_Rb_tree_rebalance_for_erase. Returns the node that was removed. */
EXPORT struct map_node *
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct map_node *gone,
                                                             struct map_node *header) {
    uint64_t pc = CALLER;
    struct map_node *below, *parent;
    bool black;
    if (GET(gone, left) != NULL && GET(gone, right) != NULL)
        parent = put_successor(gone, header, &below, &black, pc);
    else
        parent = put_child(gone, header, &below, &black, pc);
    if (black)
        repair_removal(below, parent, header, pc);
    return gone;
}

static struct map_node *next_of(struct map_node *node, uint64_t pc) {
    struct map_node *right = GET(node, right);
    if (right != NULL)
        return first_below(right, pc);
    struct map_node *parent = GET(node, parent);
    while (GET(parent, right) == node) {
        node = parent;
        parent = GET(node, parent);
    }
    /* The root has the header as its parent, and the header has the root as its parent. If the
     * root has no right child, `node` has become the header. */
    return GET(node, right) != parent ? parent : node;
}

static struct map_node *previous_of(struct map_node *node, uint64_t pc) {
    if (!GET(node, black)) {
        struct map_node *parent = GET(node, parent);
        if (GET(parent, parent) == node) /* the header */
            return GET(node, right);
    }
    struct map_node *left = GET(node, left);
    if (left != NULL)
        return last_below(left, pc);
    struct map_node *parent = GET(node, parent);
    while (GET(parent, left) == node) {
        node = parent;
        parent = GET(node, parent);
    }
    return parent;
}

/* std::_Rb_tree_increment and decrement, for pointers to nodes and to constant nodes. */
EXPORT struct map_node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct map_node *node) {
    return next_of(node, CALLER);
}
EXPORT const struct map_node *
_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct map_node *node) {
    return next_of(node, CALLER);
}
EXPORT struct map_node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct map_node *node) {
    return previous_of(node, CALLER);
}
EXPORT const struct map_node *
_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct map_node *node) {
    return previous_of(node, CALLER);
}

/* --- lists ----------------------------------------------------------------------------------- */

struct list_node {
    struct list_node *next, *previous;
};

/* std::__detail::_List_node_base::_M_hook: inserts the node before `place`. */
EXPORT void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list_node *node,
                                                         struct list_node *place) {
    uint64_t pc = CALLER;
    struct list_node *previous = GET(place, previous);
    SET(node, next, place);
    SET(node, previous, previous);
    SET(previous, next, node);
    SET(place, previous, node);
}

EXPORT void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct list_node *node) {
    uint64_t pc = CALLER;
    struct list_node *next = GET(node, next), *previous = GET(node, previous);
    SET(previous, next, next);
    SET(next, previous, previous);
}

/* Moves the nodes from `first` up to the one before `last`, to before `place`. */
EXPORT void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list_node *place,
                                                                 struct list_node *first,
                                                                 struct list_node *last) {
    uint64_t pc = CALLER;
    if (place == last)
        return;
    struct list_node *end = GET(last, previous), *before = GET(first, previous);
    struct list_node *target = GET(place, previous);
    SET(end, next, place);
    SET(before, next, last);
    SET(target, next, first);
    SET(place, previous, end);
    SET(last, previous, before);
    SET(first, previous, target);
}

EXPORT void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct list_node *node) {
    uint64_t pc = CALLER;
    struct list_node *at = node;
    do {
        struct list_node *next = GET(at, next);
        SET(at, next, GET(at, previous));
        SET(at, previous, next);
        at = next;
    } while (at != node);
}

/* Makes the neighbours of a list's header point to `now`. */
static void adopt(struct list_node *now, uint64_t pc) {
    struct list_node *next = GET(now, next), *previous = GET(now, previous);
    SET(next, previous, now);
    SET(previous, next, now);
}

static void make_empty(struct list_node *header, uint64_t pc) {
    SET(header, next, header);
    SET(header, previous, header);
}

static void move_list(struct list_node *to, struct list_node *from, uint64_t pc) {
    SET(to, next, GET(from, next));
    SET(to, previous, GET(from, previous));
    adopt(to, pc);
}

/* std::__detail::_List_node_base::swap: swaps two headers. */
EXPORT void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct list_node *a, struct list_node *b) {
    uint64_t pc = CALLER;
    struct list_node *next = GET(a, next), *previous = GET(a, previous);
    bool a_empty = next == a, b_empty = GET(b, next) == b;
    if (!b_empty)
        move_list(a, b, pc);
    else if (!a_empty)
        make_empty(a, pc);
    if (a_empty && !b_empty)
        make_empty(b, pc);
    if (a_empty)
        return;
    SET(b, next, next);
    SET(b, previous, previous);
    adopt(b, pc);
}
