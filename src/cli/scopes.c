/* scopes.c - see scopes.h.
 *
 * libdw descends only to what lies in the range of its parent. The function of a lambda, or of a class
 * inside a function, is described inside that function, but its code lies elsewhere: where libdw finds
 * no function, all that can hold one is searched. */
#include "cli/scopes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char lambda[] = "{lambda}", unnamed[] = "{unnamed}", call[] = "operator()";

bool scopes_function(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool is_type(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static bool holds_functions(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return scopes_function(die) || is_type(die) || tag == DW_TAG_namespace ||
           tag == DW_TAG_lexical_block;
}

/* The innermost scope below `parent` with that address. */
static bool search(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *innermost) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return false;
    do {
        if (!holds_functions(&child))
            continue;
        bool here = dwarf_haspc(&child, address) == 1;
        if (here)
            *innermost = child;
        if (search(&child, address, innermost) || here)
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool has_function(Dwarf_Die *scopes, int count) {
    for (int i = 0; i < count; i++)
        if (scopes_function(&scopes[i]))
            return true;
    return false;
}

int scopes_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes) {
    Dwarf_Die *found = NULL, innermost;
    int count = dwarf_getscopes(unit, address, &found);
    bool known = count > 0 && has_function(found, count);
    if (known)
        innermost = found[0];
    if (count > 0)
        free(found);
    if (!known && !search(unit, address, &innermost))
        return 0;
    return dwarf_getscopes_die(&innermost, scopes);
}

static bool attribute_die(Dwarf_Die *die, unsigned name, Dwarf_Die *to) {
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) != NULL && dwarf_formref_die(&attribute, to) != NULL;
}

/* The class of a lambda has no name, and is called. */
static const char *scope_name(Dwarf_Die *scope, const char *function) {
    int tag = dwarf_tag(scope);
    const char *name = dwarf_diename(scope);
    if (is_type(scope) && name == NULL)
        return strncmp(function, call, strlen(call)) == 0 ? lambda : unnamed;
    if (is_type(scope))
        return name;
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram ? name : NULL;
}

bool scopes_name(Dwarf_Die *function, char *name, size_t size) {
    Dwarf_Die die = *function, *scopes = NULL;
    Dwarf_Die other;
    while (attribute_die(&die, DW_AT_abstract_origin, &other) ||
           attribute_die(&die, DW_AT_specification, &other))
        die = other;
    int count = dwarf_getscopes_die(&die, &scopes);
    size_t used = 0;
    bool named = true;
    const char *own = dwarf_diename(&die) ? dwarf_diename(&die) : "??";
    name[0] = '\0';
    for (int i = count - 1; i > 0 && used < size; i--) {
        const char *scope = scope_name(&scopes[i], own);
        named = named && scope != unnamed && scope != lambda;
        if (scope != NULL)
            used += (size_t)snprintf(name + used, size - used, "%s::", scope);
    }
    free(scopes);
    if (used < size)
        snprintf(name + used, size - used, "%s", own);
    return named;
}
