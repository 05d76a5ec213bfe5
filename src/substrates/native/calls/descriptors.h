/* descriptors.h - keeps track of the descriptors that the program opens and closes, so that each
 * execution begins with the same ones. */
#ifndef NATIVE_DESCRIPTORS_H
#define NATIVE_DESCRIPTORS_H

#include <stdbool.h>

/* The program has opened this descriptor. close_opened() closes it before the next execution.
 * Returns the descriptor. */
int opened(int descriptor);

/* The program is about to close or replace this descriptor. If the execution has not opened it,
 * the next execution will have it again. */
void replaces(int descriptor);

/* Whether the last execution has left a descriptor open, or has closed one that it had not
 * opened. */
bool any_opened(void);
/* Closes the former, and opens the latter again. */
void close_opened(void);

/* Whether the descriptor is one of ours, which is not open as far as the program knows. */
bool descriptor_is_ours(int descriptor);

#endif
