/* marks.h - the marks that `heddle cc` leaves in an object, as sections of these names. Each has the
 * names of functions whose accesses no instrumentation covers. */
#ifndef BASE_MARKS_H
#define BASE_MARKS_H

#define MARK_ASSEMBLY ".heddle.asm" /* inline assembly that accesses memory */
#define MARK_WIDE ".heddle.wide"    /* accesses of a size that clang does not instrument */

#endif
