/* table.h - the tables of a program or library that say how to leave its functions: .eh_frame.
 *
 * An entry (FDE) describes one function: instructions from which row.h makes a row for each of its
 * places. What many entries have in common stands in another one (CIE). .eh_frame_hdr is the index
 * of the entries, sorted by address.
 *
 * Left out: what neither gcc nor clang writes for x86-64 (64-bit lengths, versions other than 1 and
 * 3, an index that is not sorted by addresses relative to itself). Such a table is none. */
#ifndef BASE_UNWIND_TABLE_H
#define BASE_UNWIND_TABLE_H

#include "base/unwind/bytes.h"

/* A program or a library. */
struct unwind_module {
    uint64_t code_start, code_end; /* its executable segment */
    uint64_t index;                /* .eh_frame_hdr; 0: it has none */
    uint64_t start, end; /* the bounds of the segment that holds .eh_frame_hdr and .eh_frame */
};

struct unwind_entry {
    uint64_t start, size;     /* the function */
    struct bytes common, own; /* the instructions: those of the CIE come first */
    uint64_t code_unit;       /* the unit of distances in code */
    int64_t data_unit;        /* the unit of offsets */
    uint8_t encoding;         /* of pointers */
    bool signal_frame;        /* the kernel called the function, at any point of the code */
};

/* The entry of the function at this place. Returns false if there is none, or if it is damaged. */
bool unwind_find(const struct unwind_module *module, uint64_t place, struct unwind_entry *entry);

#endif
