/* assembly.h - finds the inline assembly of a compilation unit that accesses memory. */
#ifndef CLI_CC_ASSEMBLY_H
#define CLI_CC_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns true if a text of C or C++ may contain inline assembly: the word asm before a qualifier
 * or a parenthesis. Declarations with asm("name") have a parenthesis, too. For a text with many of
 * these (`named`), a parenthesis does not count. */
bool assembly_possible(const char *text, size_t size, bool named);

/* Reads the output of a compiler with -S, in which #APP and #NO_APP enclose inline assembly. Writes
 * the names of the functions whose inline assembly accesses memory, each with a terminating 0, and
 * returns their number. */
size_t assembly_functions(FILE *assembly, FILE *names);

#endif
