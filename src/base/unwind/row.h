/* row.h - what holds at one place of a function: where its frame ends, and where it has put the
 * registers that it must give back (DWARF 5, 6.4: a row of the table of call frame information).
 *
 * Left out: instructions that no compiler for x86-64 uses. A row is never half right: what is not
 * understood makes it none. */
#ifndef BASE_UNWIND_ROW_H
#define BASE_UNWIND_ROW_H

#include "base/unwind/table.h"

/* DWARF's numbers: 0 to 15 are the general registers, 16 is where the function goes on. */
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

/* The value that a register has in the caller. "The frame" is its canonical address: that of the
 * stack pointer in the caller, once the call is over. */
enum unwind_rule_kind {
    RULE_SAME,     /* it still has it */
    RULE_UNKNOWN,  /* it is lost; for where the caller goes on: there is none */
    RULE_SAVED,    /* it is at the frame + value */
    RULE_OFFSET,   /* it is the frame + value */
    RULE_SUM,      /* it is register + value */
    RULE_SAVED_BY, /* it is where the expression says */
    RULE_VALUE_BY, /* it is what the expression says */
};

struct unwind_rule {
    uint8_t kind;
    uint8_t from;  /* register */
    uint16_t size; /* of an expression, */
    int64_t value; /* and its address */
};

struct unwind_row {
    struct unwind_rule frame; /* RULE_SUM or RULE_VALUE_BY; RULE_UNKNOWN: there is no row */
    struct unwind_rule registers[UNWIND_REGISTERS];
};

/* Room for the work, too much for a stack that is not ours. */
struct unwind_room {
    struct unwind_row initial;
    struct unwind_row remembered[4];
    uint32_t remembered_count;
};

/* The row of that place; false if the instructions are not understood up to there. */
bool unwind_row_at(const struct unwind_entry *entry, uint64_t place, struct unwind_row *row,
                   struct unwind_room *room);

#endif
