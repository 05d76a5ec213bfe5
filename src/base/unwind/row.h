/* row.h - the rules at one place of a function: where its frame ends, and where it has put the
 * registers that it must restore (DWARF 5, 6.4: a row of the table of call frame information).
 *
 * Left out: instructions that no compiler for x86-64 uses. A row is never half right: if an
 * instruction is not understood, there is no row. */
#ifndef BASE_UNWIND_ROW_H
#define BASE_UNWIND_ROW_H

#include "base/unwind/table.h"

/* DWARF's numbers: 0 to 15 are the general registers, 16 is the return address. */
enum {
    UNWIND_RBX = 3,
    UNWIND_RBP = 6,
    UNWIND_RSP = 7,
    UNWIND_R12 = 12,
    UNWIND_R13 = 13,
    UNWIND_R14 = 14,
    UNWIND_R15 = 15,
    UNWIND_RIP = 16,
    UNWIND_REGISTERS
};

/* How to compute the value that a register has in the caller. "The frame" is its canonical address:
 * the stack pointer of the caller after the return. */
enum unwind_rule_kind {
    RULE_SAME,     /* the register has not changed */
    RULE_UNKNOWN,  /* the value is lost; for the return address: there is no caller */
    RULE_SAVED,    /* the value is in memory, at the frame + `value` */
    RULE_OFFSET,   /* the value is the frame + `value` */
    RULE_SUM,      /* the value is a register + `value` */
    RULE_SAVED_BY, /* the value is in memory, at the address that the expression gives */
    RULE_VALUE_BY, /* the value is what the expression gives */
};

struct unwind_rule {
    uint8_t kind;
    uint8_t from;  /* register */
    uint16_t size; /* the size of an expression */
    int64_t value; /* a number, or the address of an expression */
};

struct unwind_row {
    struct unwind_rule frame; /* RULE_SUM or RULE_VALUE_BY; RULE_UNKNOWN: there is no row */
    struct unwind_rule registers[UNWIND_REGISTERS];
};

/* Working memory, which is too large for the stack of a task. */
struct unwind_room {
    struct unwind_row initial;
    struct unwind_row remembered[4];
    uint32_t remembered_count;
};

/* The row of this place. Returns false if an instruction before the place is not understood. */
bool unwind_row_at(const struct unwind_entry *entry, uint64_t place, struct unwind_row *row,
                   struct unwind_room *room);

#endif
