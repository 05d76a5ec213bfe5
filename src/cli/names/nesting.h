/* nesting.h - the scopes of one unit of debug information, read once: which scope is inside which,
 * and where their code is.
 *
 * libdw answers each such question by a walk over the unit. The unit of a test framework that
 * consists of headers has hundreds of thousands of entries. */
#ifndef CLI_NESTING_H
#define CLI_NESTING_H

#include <elfutils/libdw.h>
#include <stdbool.h>

struct nesting;

struct nesting *nesting_create(Dwarf_Die *unit);
void nesting_destroy(struct nesting *nesting);

/* Finds the innermost scope with code at that address, among those inside of a function. Returns
 * false if there is none. */
bool nesting_at(const struct nesting *nesting, Dwarf_Addr address, Dwarf_Die *innermost);

/* Lists the scope and the scopes around it, the innermost first, the unit last. The caller frees
 * the list. Returns their number, or 0 if this is not a scope of the unit. */
int nesting_around(const struct nesting *nesting, Dwarf_Die *scope, Dwarf_Die **scopes);

#endif
