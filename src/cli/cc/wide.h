/* wide.h - finds accesses that clang does not instrument because of their size. */
#ifndef CLI_CC_WIDE_H
#define CLI_CC_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns true if a text of C or C++ may have objects of such a size: long double, or vectors. */
bool wide_possible(const char *text);

/* Reads the output of clang with -S -emit-llvm. Writes the names of the functions with such
 * accesses, each with a terminating 0, and returns their number. */
size_t wide_functions(FILE *code, FILE *names);

#endif
