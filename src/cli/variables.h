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

#endif
