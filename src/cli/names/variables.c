/* variables.c - see variables.h.
 *
 * The path goes down through arrays and structures to the member that contains the address. It
 * stops at unions and at members whose names begin with an underscore. Those are internal to the C
 * and C++ libraries (and to Heddle), and `m` is a better name for a std::mutex than
 * `m._M_mutex`. */
#include "cli/names/variables.h"

#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

struct variable {
    Dwarf_Addr address;
    Dwarf_Word size;
    Dwarf_Die die;
};

struct variables {
    struct variable *items; /* sorted by address */
    size_t count, capacity;
};

/* --- collecting --- */

bool variables_type(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    Dwarf_Die raw;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) != NULL &&
           dwarf_formref_die(&attribute, &raw) != NULL && dwarf_peel_type(&raw, type) == 0;
}

static bool address_of(Dwarf_Die *die, Dwarf_Addr *address) {
    Dwarf_Attribute attribute, place;
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_attr(die, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
        return false;
    if (ops[0].atom == DW_OP_addr) {
        *address = ops[0].number;
        return true;
    }
    return ops[0].atom == DW_OP_addrx && /* clang puts the addresses into a table */
           dwarf_getlocation_attr(&attribute, &ops[0], &place) == 0 &&
           dwarf_formaddr(&place, address) == 0;
}

static void add(struct variables *variables, Dwarf_Die *die) {
    struct variable variable = {.die = *die};
    Dwarf_Die type;
    if (!address_of(die, &variable.address) || !variables_type(die, &type) ||
        dwarf_aggregate_size(&type, &variable.size) != 0 || variable.size == 0)
        return;
    if (variables->count == variables->capacity) {
        variables->capacity = variables->capacity ? 2 * variables->capacity : 64;
        variables->items =
            realloc(variables->items, variables->capacity * sizeof *variables->items);
        CHECK(variables->items);
    }
    variables->items[variables->count++] = variable;
}

/* Static variables stand at the top level, in namespaces and in functions. */
static void collect(struct variables *variables, Dwarf_Die *parent) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable: add(variables, &die); break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block: collect(variables, &die); break;
        default: break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int compare(const void *a, const void *b) {
    const struct variable *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

struct variables *variables_create(Dwarf *dwarf) {
    struct variables *variables = calloc(1, sizeof *variables);
    CHECK(variables);
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    while (dwarf != NULL && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
        collect(variables, &die);
    if (variables->count)
        qsort(variables->items, variables->count, sizeof *variables->items, compare);
    return variables;
}

void variables_destroy(struct variables *variables) {
    if (variables != NULL)
        free(variables->items);
    free(variables);
}

/* --- naming --- */

struct path {
    char *text;
    size_t used, size;
};

__attribute__((format(printf, 2, 3))) static void append(struct path *path, const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(path->text + path->used, path->size - path->used, format, arguments);
    va_end(arguments);
    path->used += (size_t)written;
    if (path->used >= path->size)
        path->used = path->size - 1;
}

/* Returns the number of elements in one dimension, or 0 if it is not a constant. */
static Dwarf_Word dimension(Dwarf_Die *subrange) {
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    if (dwarf_attr(subrange, DW_AT_count, &attribute) && dwarf_formudata(&attribute, &number) == 0)
        return number;
    if (dwarf_attr(subrange, DW_AT_upper_bound, &attribute) &&
        dwarf_formudata(&attribute, &number) == 0)
        return number + 1;
    return 0;
}

/* Appends [i][j]... and goes on to the element type. Returns false if the dimensions are not
 * known. */
static bool enter_array(Dwarf_Die *type, Dwarf_Word *offset, struct path *path) {
    Dwarf_Die element, subrange;
    Dwarf_Word size, whole;
    if (!variables_type(type, &element) || dwarf_aggregate_size(&element, &size) != 0 ||
        size == 0 || dwarf_aggregate_size(type, &whole) != 0 || dwarf_child(type, &subrange) != 0)
        return false;
    do {
        Dwarf_Word count = dwarf_tag(&subrange) == DW_TAG_subrange_type ? dimension(&subrange) : 0;
        if (count == 0 || whole / count < size)
            return false;
        whole /= count; /* bytes of one element in this dimension */
        append(path, "[%llu]", (unsigned long long)(*offset / whole));
        *offset %= whole;
    } while (dwarf_siblingof(&subrange, &subrange) == 0);
    *type = element;
    return true;
}

/* Returns true if the offset lies in this member or base class, and makes the offset relative to
 * it. */
static bool in_member(Dwarf_Die *member, Dwarf_Die *type, Dwarf_Word *offset) {
    Dwarf_Attribute attribute;
    Dwarf_Word start, size;
    int tag = dwarf_tag(member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        dwarf_attr(member, DW_AT_data_member_location, &attribute) == NULL ||
        dwarf_formudata(&attribute, &start) != 0 || !variables_type(member, type) ||
        dwarf_aggregate_size(type, &size) != 0 || *offset < start || *offset - start >= size)
        return false;
    *offset -= start;
    return true;
}

static bool is_internal(const char *name) {
    return name[0] == '_' || strcmp(name, "opaque") == 0; /* the member of struct heddle_mailbox */
}

static bool enter_structure(Dwarf_Die *type, Dwarf_Word *offset, struct path *path) {
    Dwarf_Die member, inner;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        Dwarf_Word inside = *offset;
        if (!in_member(&member, &inner, &inside))
            continue;
        const char *name = dwarf_diename(&member);
        if (name != NULL && is_internal(name))
            return false;
        if (name != NULL && dwarf_tag(&member) == DW_TAG_member)
            append(path, ".%s", name);
        *offset = inside;
        *type = inner;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static void describe(Dwarf_Die type, Dwarf_Word offset, struct path *path) {
    bool deeper = true;
    while (deeper) {
        switch (dwarf_tag(&type)) {
        case DW_TAG_array_type: deeper = enter_array(&type, &offset, path); break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type: deeper = enter_structure(&type, &offset, path); break;
        default: deeper = false; break;
        }
    }
    if (offset != 0)
        append(path, "+%llu", (unsigned long long)offset);
}

/* Returns the last variable that begins at or before the address. */
static const struct variable *find(const struct variables *variables, Dwarf_Addr address) {
    size_t low = 0, high = variables->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (variables->items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &variables->items[low - 1] : NULL;
}

/* A definition may be separate from its declaration, which then has the name. */
static const char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

bool variables_name(const struct variables *variables, Dwarf_Addr address, char *name,
                    size_t size) {
    const struct variable *variable = find(variables, address);
    if (variable == NULL || address - variable->address >= variable->size)
        return false;
    Dwarf_Die die = variable->die, type;
    const char *base = name_of(&die);
    if (base == NULL || !variables_type(&die, &type))
        return false;
    struct path path = {.text = name, .size = size};
    append(&path, "%s", base);
    describe(type, address - variable->address, &path);
    return true;
}

void variables_path(Dwarf_Die *type, Dwarf_Word offset, char *path, size_t size) {
    struct path out = {.text = path, .size = size};
    path[0] = '\0';
    describe(*type, offset, &out);
}
