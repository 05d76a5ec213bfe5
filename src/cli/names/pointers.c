/* pointers.c - see pointers.h. Variables of the function are looked up first, then members of its
 * object, then static variables of the unit. Of the smart pointers, only those of libstdc++ are
 * known. */
#include "cli/names/pointers.h"

#include <dwarf.h>
#include <string.h>

#include "cli/names/variables.h"

static bool has_name(Dwarf_Die *die, const char *name) {
    const char *own = dwarf_diename(die);
    return own != NULL && strcmp(own, name) == 0;
}

/* --- variables --- */

struct search {
    const char *name;
    Dwarf_Die type;
    bool found, several;
};

static void meet(struct search *search, Dwarf_Die *die) {
    Dwarf_Die type;
    if (!has_name(die, search->name) || !variables_type(die, &type))
        return;
    search->several |= search->found && search->type.addr != type.addr;
    search->type = type;
    search->found = true;
}

/* Searches all variables within a function, or all static ones of a unit. */
static void search_in(struct search *search, Dwarf_Die *parent) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            meet(search, &die);
        else if (tag == DW_TAG_lexical_block || tag == DW_TAG_namespace)
            search_in(search, &die);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* A variable for which the compiler made no code stands only in the abstract function. */
static void search_function(struct search *search, Dwarf_Die *function) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    search_in(search, function);
    if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) != NULL &&
        dwarf_formref_die(&attribute, &origin) != NULL)
        search_in(search, &origin);
}

/* --- types --- */

static bool is_structure(Dwarf_Die *type) {
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Finds the type of a member, including those of base classes and of inner structures without a
 * name. */
static bool member_type(Dwarf_Die *structure, const char *name, Dwarf_Die *type) {
    Dwarf_Die member, inner;
    if (!is_structure(structure) || dwarf_child(structure, &member) != 0)
        return false;
    do {
        int tag = dwarf_tag(&member);
        if (tag == DW_TAG_member && has_name(&member, name))
            return variables_type(&member, type);
        bool inside =
            tag == DW_TAG_inheritance || (tag == DW_TAG_member && dwarf_diename(&member) == NULL);
        if (inside && variables_type(&member, &inner) && member_type(&inner, name, type))
            return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* True for a smart pointer of libstdc++. The class of shared_ptr has a base class of its own. */
static bool is_smart(Dwarf_Die *type) {
    const char *name = dwarf_diename(type);
    Dwarf_Die child;
    if (dwarf_tag(type) != DW_TAG_class_type || name == NULL || dwarf_child(type, &child) != 0)
        return false;
    if (starts_with(name, "unique_ptr<"))
        return true;
    if (!starts_with(name, "shared_ptr<"))
        return false;
    do {
        Dwarf_Die base;
        if (dwarf_tag(&child) == DW_TAG_inheritance && variables_type(&child, &base) &&
            dwarf_diename(&base) != NULL && starts_with(dwarf_diename(&base), "__shared_ptr<"))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool template_type(Dwarf_Die *class, Dwarf_Die *type) {
    Dwarf_Die child;
    if (dwarf_child(class, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            return variables_type(&child, type);
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool behind_pointer(Dwarf_Die *pointer, Dwarf_Die *type) {
    if (dwarf_tag(pointer) == DW_TAG_pointer_type)
        return variables_type(pointer, type);
    return is_smart(pointer) && template_type(pointer, type);
}

static bool element_type(Dwarf_Die *array, Dwarf_Die *type) {
    return dwarf_tag(array) == DW_TAG_array_type ? variables_type(array, type)
                                                 : behind_pointer(array, type);
}

static bool take_step(const struct assignment_step *step, Dwarf_Die *type) {
    Dwarf_Die from = *type, structure;
    switch (step->kind) {
    case STEP_ARROW:
        return behind_pointer(&from, &structure) && member_type(&structure, step->member, type);
    case STEP_DOT: return member_type(&from, step->member, type);
    case STEP_INDEX: return element_type(&from, type);
    }
    return false;
}

/* True if the last member of a structure is an array of unknown length. */
static bool is_open(Dwarf_Die *structure) {
    Dwarf_Die member, type;
    Dwarf_Word size;
    bool open = false;
    if (!is_structure(structure) || dwarf_child(structure, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) == DW_TAG_member && variables_type(&member, &type))
            open = dwarf_tag(&type) == DW_TAG_array_type &&
                   (dwarf_aggregate_size(&type, &size) != 0 || size == 0);
    } while (dwarf_siblingof(&member, &member) == 0);
    return open;
}

/* --- the interface -------------------------------------------------------------------------- */

static bool find_variable(const char *name, Dwarf_Die *scopes, int count, Dwarf_Die *type) {
    struct search own = {.name = name}, object = {.name = "this"}, fixed = {.name = name};
    Dwarf_Die class;
    search_function(&own, &scopes[0]);
    *type = own.type;
    if (own.found || count == 0)
        return own.found && !own.several;
    search_function(&object, &scopes[0]);
    if (object.found && behind_pointer(&object.type, &class) && member_type(&class, name, type))
        return true;
    search_in(&fixed, &scopes[count - 1]);
    *type = fixed.type;
    return fixed.found && !fixed.several;
}

bool pointers_resolve(const struct assignment *assignment, Dwarf_Die *scopes, int count,
                      struct pointee *pointee) {
    Dwarf_Die type, element;
    if (!find_variable(assignment->variable, scopes, count, &type))
        return false;
    for (int i = 0; i < assignment->step_count; i++)
        if (!take_step(&assignment->steps[i], &type))
            return false;
    pointee->smart = is_smart(&type);
    if (!behind_pointer(&type, &pointee->type))
        return false;
    /* A smart pointer to T[]. */
    if (pointee->smart && dwarf_tag(&pointee->type) == DW_TAG_array_type) {
        if (!variables_type(&pointee->type, &element))
            return false;
        pointee->type = element;
    }
    pointee->plain =
        !is_structure(&pointee->type) && dwarf_tag(&pointee->type) != DW_TAG_array_type;
    pointee->open = is_open(&pointee->type);
    return dwarf_aggregate_size(&pointee->type, &pointee->size) == 0 && pointee->size > 0;
}

bool pointers_untyped_result(Dwarf_Die *function) {
    Dwarf_Die type, to;
    return variables_type(function, &type) && dwarf_tag(&type) == DW_TAG_pointer_type &&
           !variables_type(&type, &to);
}
