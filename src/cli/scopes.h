/* scopes.h - the scopes of code around an address, as DWARF nests them. */
#ifndef CLI_SCOPES_H
#define CLI_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The units that are known so far. */
struct scopes;

struct scopes *scopes_create(void);
void scopes_destroy(struct scopes *scopes);

/* The scopes around the address, the innermost first; the caller frees them. How many; 0 if the unit does
 * not know. */
int scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **found);

/* A function, or the body of one inside another. */
bool scopes_function(Dwarf_Die *die);

/* "Queue::push": the classes, namespaces and functions around the declaration, then its name. False
 * if one of them has no name, as the class of a lambda. */
bool scopes_name(struct scopes *scopes, Dwarf_Die *function, char *name, size_t size);

#endif
