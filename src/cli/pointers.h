/* pointers.h - the type behind a pointer that a function assigns, from debug information. */
#ifndef CLI_POINTERS_H
#define CLI_POINTERS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "cli/assignment.h"

/* What the pointer points to. */
struct pointee {
    Dwarf_Die type;
    Dwarf_Word size;
    bool plain; /* a number or a pointer, and no structure */
    bool smart; /* the pointer is a std::unique_ptr or std::shared_ptr */
    bool open;  /* a structure whose last member is an array without a length */
};

/* `scopes` are those around the assignment, from the function on outwards. False if the variable is not found there, if
 * there are several of that name and different types, or if it is no pointer to something of known size. */
bool pointers_resolve(const struct assignment *assignment, Dwarf_Die *scopes, int count,
                      struct pointee *pointee);

/* The function returns `void *`, as one that only hands memory on does. */
bool pointers_untyped_result(Dwarf_Die *function);

#endif
