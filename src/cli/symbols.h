/* symbols.h - addresses of a tested program as names, through libdw.
 *
 * Works from the list of modules in the session, so the program itself may be gone. The strings that
 * come back are copied to the trace by the caller; they hold until the next call or destroy. */
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
    bool runtime;              /* code of Heddle's own */
    bool system;               /* of a library of the system */
};

struct symbols;

struct symbols *symbols_create(const struct module *modules, uint32_t count);
void symbols_destroy(struct symbols *symbols);

/* What a return address stands for: the function that called, preceded by what was inlined there,
 * innermost first. At least one frame, if only with a module and an offset. */
uint32_t symbols_frames(struct symbols *symbols, uint64_t return_address,
                        struct symbols_frame frames[SYMBOLS_INLINED_MAX]);

/* The scopes around the n-th of these frames, from its function on outwards: the last one is the unit. The caller frees
 * them. How many; 0 if the debug information does not know. */
int symbols_scopes(struct symbols *symbols, uint64_t return_address, uint32_t frame,
                   Dwarf_Die **scopes);

/* The function that begins at that address, if it is none of a system library's. */
bool symbols_own_function(struct symbols *symbols, uint64_t address, char *name, size_t size);

/* The variable at that address with its element: "forks[2]", "queue.mutex", "table+32". */
bool symbols_variable(struct symbols *symbols, uint64_t address, char *name, size_t size);

#endif
