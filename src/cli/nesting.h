/* nesting.h - the scopes of one unit of debug information, walked once: which is inside which, and whose code is where.
 *
 * libdw answers each such question by a walk over the unit, and the unit of a test framework that is a header has
 * hundreds of thousands of entries. */
#ifndef CLI_NESTING_H
#define CLI_NESTING_H

#include <elfutils/libdw.h>
#include <stdbool.h>

struct nesting;

struct nesting *nesting_create(Dwarf_Die *unit);
void nesting_destroy(struct nesting *nesting);

/* The innermost scope with code at that address, out of those that a function contains. False: none. */
bool nesting_at(const struct nesting *nesting, Dwarf_Addr address, Dwarf_Die *innermost);

/* Lists the scope and those around it, the innermost first, the unit last; the caller frees the list. Returns how
 * many there are, or 0 if this is no scope of the unit. */
int nesting_around(const struct nesting *nesting, Dwarf_Die *scope, Dwarf_Die **scopes);

#endif
