/* cc_wide.h - accesses that clang does not instrument because of their size. */
#ifndef CLI_CC_WIDE_H
#define CLI_CC_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether a text of C or C++ may have objects of such a size: long double, or vectors. */
bool wide_possible(const char *text);

/* Reads what clang wrote with -S -emit-llvm. Writes the names of functions with such accesses, each with a 0 at its end,
 * and returns how many there are. */
size_t wide_functions(FILE *code, FILE *names);

#endif
