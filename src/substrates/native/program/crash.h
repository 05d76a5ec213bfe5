/* crash.h - crashes of the program, and steps that never end (crash.c). */
#ifndef NATIVE_CRASH_H
#define NATIVE_CRASH_H

#include <stdbool.h>

/* Before main: installs our signal handlers. */
void crash_install(void);

/* Our code makes a system call for the program, and has nothing half done: a step that takes too
 * long may be ended there. */
extern bool passing_on;

#endif
