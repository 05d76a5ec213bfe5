/* scopes.h - the scopes of code around an address, as DWARF nests them. */
#ifndef CLI_SCOPES_H
#define CLI_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The units that have been read so far. */
struct scopes;

struct scopes *scopes_create(void);
void scopes_destroy(struct scopes *scopes);

/* Lists the scopes around the address, the innermost first. The caller frees the list. Returns
 * their number, or 0 if the unit does not know. */
int scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **found);

/* True for a function, or for the body of a function that was inlined into another one. */
bool scopes_function(Dwarf_Die *die);

/* Writes a name like "Queue::push": the classes, namespaces and functions around the declaration,
 * then its name. Returns false if one of them has no name, as the class of a lambda. */
bool scopes_name(struct scopes *scopes, Dwarf_Die *function, char *name, size_t size);

#endif
