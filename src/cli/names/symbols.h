/* symbols.h - finds names for addresses of a tested program, with libdw.
 *
 * It works from the list of modules in the session, so the program itself may have ended. The
 * returned strings are valid until the next call; the caller copies them to the trace. */
#ifndef CLI_SYMBOLS_H
#define CLI_SYMBOLS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/session.h"

enum { SYMBOLS_INLINED_MAX = 16, SYMBOLS_NAME = 256 };

struct symbols_frame {
    char function[SYMBOLS_NAME];
    const char *file; /* "" if unknown */
    uint32_t line;
    char module[SYMBOLS_NAME]; /* "libc.so.6+0x2724a" */
    bool runtime;              /* code of Heddle itself */
    bool system;               /* code of a system library */
};

struct symbols;

struct symbols *symbols_create(const struct module *modules, uint32_t count);
void symbols_destroy(struct symbols *symbols);

/* Finds the frames of a return address: the function that made the call, and before it the
 * functions that were inlined there, innermost first. There is at least one frame, perhaps only
 * with a module and an offset. */
uint32_t symbols_frames(struct symbols *symbols, uint64_t return_address,
                        struct symbols_frame frames[SYMBOLS_INLINED_MAX]);

/* Lists the scopes around the n-th of these frames, from its function outwards; the last one is the
 * unit. The caller frees the list. Returns their number, or 0 if the debug information does not
 * know. */
int symbols_scopes(struct symbols *symbols, uint64_t return_address, uint32_t frame,
                   Dwarf_Die **scopes);

/* Names the function that begins at that address, unless it belongs to a system library. */
bool symbols_own_function(struct symbols *symbols, uint64_t address, char *name, size_t size);

/* Names the variable at that address, with its element: "forks[2]", "queue.mutex", "table+32". */
bool symbols_variable(struct symbols *symbols, uint64_t address, char *name, size_t size);

#endif
