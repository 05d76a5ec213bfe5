/* code.h - code that is told from other code by its addresses (start.c notes them before main). */
#ifndef NATIVE_CODE_H
#define NATIVE_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct address_range {
    uint64_t start, size;
};

struct code_ranges {
    struct address_range own;      /* the runtime */
    struct address_range unwinder; /* libgcc */
    struct address_range libc;     /* the C library */
    struct address_range program;  /* the executable, without its libraries */
    struct address_range own_data; /* no code: the variables of the runtime */
};

extern struct code_ranges code_ranges;

static inline bool in_range(const struct address_range *range, uint64_t address) {
    return address - range->start < range->size;
}

static inline bool is_own_code(uint64_t pc) {
    return in_range(&code_ranges.own, pc);
}

#endif
