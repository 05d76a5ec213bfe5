/* table.h - the tables of a program or library that say how to leave its functions: .eh_frame.
 *
 * An entry (FDE) describes one function: instructions from which row.h makes a row for each of its
 * places. What many entries have in common stands in another one (CIE). .eh_frame_hdr is the index of the
 * entries, sorted by address.
 *
 * Left out: what neither gcc nor clang writes for x86-64 (64-bit lengths, versions other than 1 and 3,
 * an index that is not sorted by addresses relative to itself). Such a table is none. */
#ifndef BASE_UNWIND_TABLE_H
#define BASE_UNWIND_TABLE_H

#include "base/unwind/bytes.h"

/* A program or library. */
struct unwind_module {
    uint64_t code_start, code_end; /* its executable segment */
    uint64_t index;                /* .eh_frame_hdr; 0: it has none */
    uint64_t start, end;           /* the segment that holds it, and .eh_frame */
};

struct unwind_entry {
    uint64_t start, size;     /* of the function */
    struct bytes common, own; /* instructions: those of the CIE first */
    uint64_t code_unit;       /* by which they count code, */
    int64_t data_unit;        /* and offsets */
    uint8_t encoding;         /* of pointers */
    bool signal_frame;        /* it was called by the kernel, in the middle of something */
};

/* The entry of the function that has that place; false if there is none, or if it is not sound. */
bool unwind_find(const struct unwind_module *module, uint64_t place, struct unwind_entry *entry);

#endif
