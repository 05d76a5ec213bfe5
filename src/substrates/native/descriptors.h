/* descriptors.h - what the program opens and closes, so that each execution begins with the same descriptors. */
#ifndef NATIVE_DESCRIPTORS_H
#define NATIVE_DESCRIPTORS_H

#include <stdbool.h>

/* The program has opened that descriptor: close_opened() (runtime.h) closes it before the next execution.
 * Returns it. */
int opened(int descriptor);

/* The program is about to close or replace that descriptor: if the execution has not opened it, the next one will
 * have it again. */
void replaces(int descriptor);

/* Whether it is one of ours, which is not open as far as the program knows. */
bool descriptor_is_ours(int descriptor);

#endif
