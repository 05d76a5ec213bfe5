/* cc_assembly.h - inline assembly of a unit that accesses memory. */
#ifndef CLI_CC_ASSEMBLY_H
#define CLI_CC_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether a text of C or C++ may have inline assembly: the word asm before a qualifier or a parenthesis. Declarations
 * with asm("name") have it too; where there are many of them (`named`), a parenthesis does not count. */
bool assembly_possible(const char *text, size_t size, bool named);

/* Reads what a compiler wrote with -S, where #APP and #NO_APP enclose inline assembly. Writes the names of functions in
 * which that accesses memory, each with a 0 at its end, and returns how many there are. */
size_t assembly_functions(FILE *assembly, FILE *names);

#endif
