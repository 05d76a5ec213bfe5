/* nesting.c - see nesting.h.
 *
 * The code of a scope usually lies within the code of its parent, and libdw descends only there.
 * But the function of a lambda, of a class inside a function, or of a namespace is described inside
 * a scope with other code, or with none. So the path down through parents that all contain the
 * address is tried first. If it meets no function, any scope that contains the address is taken. */
#include "cli/names/nesting.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "cli/names/intervals.h"

/* Nested scopes that contain the same address; real code never has so many. */
enum { AROUND_MAX = 256 };

/* A scope. Scopes are numbered in the order of the debug information, so parents come before
 * children. */
struct node {
    Dwarf_Die die;
    uint32_t parent;
    uint32_t end; /* the first scope after this one and all scopes inside it */
};

struct nesting {
    struct node *nodes; /* the first node is the unit */
    uint32_t count, capacity;
    struct intervals code;
};

static bool is_function(int tag) {
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool has_code(int tag) {
    return is_function(tag) || tag == DW_TAG_lexical_block;
}

static bool is_scope(int tag) {
    return has_code(tag) || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
           tag == DW_TAG_union_type || tag == DW_TAG_namespace;
}

/* --- the walk --- */

static uint32_t add(struct nesting *nesting, Dwarf_Die *die, uint32_t parent) {
    if (nesting->count == nesting->capacity) {
        nesting->capacity = nesting->capacity ? 2 * nesting->capacity : 256;
        nesting->nodes = realloc(nesting->nodes, nesting->capacity * sizeof *nesting->nodes);
        CHECK(nesting->nodes);
    }
    nesting->nodes[nesting->count] = (struct node){.die = *die, .parent = parent};
    return nesting->count++;
}

static void add_code(struct nesting *nesting, Dwarf_Die *die, uint32_t number) {
    Dwarf_Addr base, low, end;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(die, at, &base, &low, &end)) > 0)
        intervals_add(&nesting->code, low, end, number);
}

static void walk(struct nesting *nesting, Dwarf_Die *parent, uint32_t number) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) == 0) {
        do {
            int tag = dwarf_tag(&child);
            if (!is_scope(tag))
                continue;
            uint32_t own = add(nesting, &child, number);
            if (has_code(tag))
                add_code(nesting, &child, own);
            walk(nesting, &child, own);
        } while (dwarf_siblingof(&child, &child) == 0);
    }
    nesting->nodes[number].end = nesting->count;
}

struct nesting *nesting_create(Dwarf_Die *unit) {
    struct nesting *nesting = calloc(1, sizeof *nesting);
    CHECK(nesting);
    walk(nesting, unit, add(nesting, unit, 0));
    intervals_sort(&nesting->code);
    return nesting;
}

void nesting_destroy(struct nesting *nesting) {
    intervals_destroy(&nesting->code);
    free(nesting->nodes);
    free(nesting);
}

/* --- questions --- */

/* Goes from scope to inner scope, each time to the first one of `numbers`. With `direct`, only to
 * children. Returns the last one; or 0, the unit, if there is none. */
static uint32_t descend(const struct nesting *nesting, const uint32_t *numbers, size_t count,
                        bool direct, bool *function) {
    uint32_t at = 0;
    *function = false;
    for (size_t i = 0; i < count; i++) {
        const struct node *node = &nesting->nodes[numbers[i]];
        if (numbers[i] >= nesting->nodes[at].end || (direct && node->parent != at))
            continue;
        at = numbers[i];
        *function |= is_function(dwarf_tag(&nesting->nodes[at].die));
    }
    return at;
}

bool nesting_at(const struct nesting *nesting, Dwarf_Addr address, Dwarf_Die *innermost) {
    uint32_t numbers[AROUND_MAX];
    bool function;
    size_t count = intervals_at(&nesting->code, address, numbers, AROUND_MAX);
    uint32_t at = descend(nesting, numbers, count, true, &function);
    if (!function)
        at = descend(nesting, numbers, count, false, &function);
    if (at != 0)
        *innermost = nesting->nodes[at].die;
    return at != 0;
}

/* The entries stand in memory in this order. */
static uint32_t find(const struct nesting *nesting, const void *address) {
    uint32_t low = 0, high = nesting->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)nesting->nodes[middle].die.addr < (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nesting->count && nesting->nodes[low].die.addr == address ? low : nesting->count;
}

int nesting_around(const struct nesting *nesting, Dwarf_Die *scope, Dwarf_Die **scopes) {
    uint32_t at = find(nesting, scope->addr), depth = 1;
    *scopes = NULL;
    if (at == nesting->count)
        return 0;
    for (uint32_t i = at; i != 0; i = nesting->nodes[i].parent)
        depth++;
    *scopes = calloc(depth, sizeof **scopes);
    CHECK(*scopes);
    for (uint32_t i = 0; i < depth; i++, at = nesting->nodes[at].parent)
        (*scopes)[i] = nesting->nodes[at].die;
    return (int)depth;
}
