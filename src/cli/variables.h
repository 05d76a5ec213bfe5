/* variables.h - static variables of one module, by address, with the path into their type. */
#ifndef CLI_VARIABLES_H
#define CLI_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

struct variables;

/* All static variables that the debug information knows. Never NULL. */
struct variables *variables_create(Dwarf *dwarf);
void variables_destroy(struct variables *variables);

/* The name of what stands at `address` (as in the file, without load bias). False: no such variable. */
bool variables_name(const struct variables *variables, Dwarf_Addr address, char *name, size_t size);

/* The path from a variable of that type to what stands at the offset: ".lock", "[2].count", "+32", "". */
void variables_path(Dwarf_Die *type, Dwarf_Word offset, char *path, size_t size);

/* The type of a variable, a member or a pointer, without its typedefs and qualifiers. False: it has none. */
bool variables_type(Dwarf_Die *die, Dwarf_Die *type);

#endif
