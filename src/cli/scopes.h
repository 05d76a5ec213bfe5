/* scopes.h - the scopes of code around an address, as DWARF nests them. */
#ifndef CLI_SCOPES_H
#define CLI_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The scopes around the address, the innermost first; the caller frees them. How many; less than one
 * if the unit does not know. */
int scopes_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes);

/* A function, or the body of one inside another. */
bool scopes_function(Dwarf_Die *die);

/* "Queue::push": the classes, namespaces and functions around the declaration, then its name. False
 * if one of them has no name, as the class of a lambda. */
bool scopes_name(Dwarf_Die *function, char *name, size_t size);

#endif
