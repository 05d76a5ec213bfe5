/* objects.h - names the object at an address of a tested program. */
#ifndef CLI_OBJECTS_H
#define CLI_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/names/symbols.h"

/* Names an object without the knowledge of heap_names.h: "forks[2]", "heap of T1+0x40", "stack of
 * T2-0x1f8", "thread-local of T0-0x10". Returns false if the address is unknown. */
bool objects_name(struct symbols *symbols, uint64_t address, char *name, size_t size);

#endif
