/* pointers.h - finds the type behind a pointer that a function assigns, from debug information. */
#ifndef CLI_POINTERS_H
#define CLI_POINTERS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "cli/names/assignment.h"

/* The object that a pointer points to. */
struct pointee {
    Dwarf_Die type;
    Dwarf_Word size;
    bool plain; /* a number or a pointer, not a structure */
    bool smart; /* the pointer is a std::unique_ptr or std::shared_ptr */
    bool open;  /* a structure whose last member is an array without a length */
};

/* `scopes` are the scopes around the assignment, from the function outwards. Returns false if the
 * variable is not found there, if there are several of that name with different types, or if it is
 * not a pointer to an object of known size. */
bool pointers_resolve(const struct assignment *assignment, Dwarf_Die *scopes, int count,
                      struct pointee *pointee);

/* Returns true if the function returns `void *`, as functions do that only pass memory on. */
bool pointers_untyped_result(Dwarf_Die *function);

#endif
