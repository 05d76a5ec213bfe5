/* scopes.c - see scopes.h. A unit is read when the first address or name in it is needed
 * (nesting.h). */
#define _GNU_SOURCE
#include "cli/names/scopes.h"

#include <dwarf.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/names/nesting.h"

/* A unit, known by the place of its first entry. */
struct known_unit {
    const void *address;
    struct nesting *nesting;
};

struct scopes {
    void *units; /* search tree */
};

static const char lambda[] = "{lambda}", unnamed[] = "{unnamed}", call[] = "operator()";

bool scopes_function(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool is_type(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static int compare_units(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const struct known_unit *)a)->address;
    uintptr_t y = (uintptr_t)((const struct known_unit *)b)->address;
    return (x > y) - (x < y);
}

static void destroy_unit(void *unit) {
    nesting_destroy(((struct known_unit *)unit)->nesting);
    free(unit);
}

struct scopes *scopes_create(void) {
    struct scopes *scopes = calloc(1, sizeof *scopes);
    CHECK(scopes);
    return scopes;
}

void scopes_destroy(struct scopes *scopes) {
    tdestroy(scopes->units, destroy_unit);
    free(scopes);
}

static struct nesting *nesting_of(struct scopes *scopes, Dwarf_Die *unit) {
    struct known_unit wanted = {.address = unit->addr};
    struct known_unit **found = tfind(&wanted, &scopes->units, compare_units);
    if (found != NULL)
        return (*found)->nesting;
    struct known_unit *known = calloc(1, sizeof *known);
    CHECK(known);
    *known = (struct known_unit){.address = unit->addr, .nesting = nesting_create(unit)};
    CHECK(tsearch(known, &scopes->units, compare_units));
    return known->nesting;
}

int scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **found) {
    Dwarf_Die innermost;
    const struct nesting *nesting = nesting_of(scopes, unit);
    return nesting_at(nesting, address, &innermost) ? nesting_around(nesting, &innermost, found)
                                                    : 0;
}

static bool attribute_die(Dwarf_Die *die, unsigned name, Dwarf_Die *to) {
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) != NULL && dwarf_formref_die(&attribute, to) != NULL;
}

/* The class of a lambda has no name, and its function is the call operator. */
static const char *scope_name(Dwarf_Die *scope, const char *function) {
    int tag = dwarf_tag(scope);
    const char *name = dwarf_diename(scope);
    if (is_type(scope) && name == NULL)
        return strncmp(function, call, strlen(call)) == 0 ? lambda : unnamed;
    if (is_type(scope))
        return name;
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram ? name : NULL;
}

bool scopes_name(struct scopes *scopes, Dwarf_Die *function, char *name, size_t size) {
    Dwarf_Die die = *function, *around = NULL;
    Dwarf_Die other, unit;
    while (attribute_die(&die, DW_AT_abstract_origin, &other) ||
           attribute_die(&die, DW_AT_specification, &other))
        die = other;
    int count = dwarf_diecu(&die, &unit, NULL, NULL) != NULL
                    ? nesting_around(nesting_of(scopes, &unit), &die, &around)
                    : 0;
    size_t used = 0;
    bool named = true;
    const char *own = dwarf_diename(&die) ? dwarf_diename(&die) : "??";
    name[0] = '\0';
    for (int i = count - 1; i > 0 && used < size; i--) {
        const char *scope = scope_name(&around[i], own);
        named = named && scope != unnamed && scope != lambda;
        if (scope != NULL)
            used += (size_t)snprintf(name + used, size - used, "%s::", scope);
    }
    free(around);
    if (used < size)
        snprintf(name + used, size - used, "%s", own);
    return named;
}
