/* variables.h - the static variables of one module, by address, with the path into their type. */
#ifndef CLI_VARIABLES_H
#define CLI_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

struct variables;

/* Reads all static variables in the debug information. Never returns NULL. */
struct variables *variables_create(Dwarf *dwarf);
void variables_destroy(struct variables *variables);

/* Names the object at `address` (an address in the file, without load bias). Returns false if there
 * is no such variable. */
bool variables_name(const struct variables *variables, Dwarf_Addr address, char *name, size_t size);

/* Writes the path from a variable of that type to the object at the offset: ".lock", "[2].count",
 * "+32", "". */
void variables_path(Dwarf_Die *type, Dwarf_Word offset, char *path, size_t size);

/* Finds the type of a variable, a member or a pointer, without typedefs and qualifiers. Returns
 * false if there is none. */
bool variables_type(Dwarf_Die *die, Dwarf_Die *type);

#endif
