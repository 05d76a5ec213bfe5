/* unwind.h - from a function to its caller, by the tables that compilers leave for exceptions.
 *
 * For stacks through code that was not compiled by us. It reads tables and stack and nothing else, keeps
 * to the ranges it is given, however damaged they are, and calls nobody: so it can be used within any
 * program, at any point. A row that was worked out is kept: stacks are taken often, of few places. */
#ifndef BASE_UNWIND_UNWIND_H
#define BASE_UNWIND_UNWIND_H

#include "base/unwind/row.h"

enum { UNWIND_MODULES = 64, UNWIND_ROWS = 512 };

/* Where a function stands. Only what a call preserves is known: rbx, rbp, rsp, r12 to r15, rip. */
struct unwind_frame {
    uint64_t registers[UNWIND_REGISTERS];
    bool interrupted; /* rip is the next instruction; else it is where a call will return to */
};

/* What is known of a place. */
struct unwind_kept {
    uint64_t place; /* 0: none yet */
    bool code;      /* of a module */
    bool signal_frame;
    struct unwind_row row;
};

struct unwind {
    struct unwind_module modules[UNWIND_MODULES];
    uint32_t module_count;
    struct unwind_kept kept[UNWIND_ROWS];
    struct unwind_room room;
};

/* More than there is room for are left out: their functions end a stack. */
void unwind_add(struct unwind *self, const struct unwind_module *module);

/* Goes to the caller. False, and nothing has changed, if there is none or if it is not known. The
 * frames lie in [stack_low, stack_high). */
bool unwind_up(struct unwind *self, struct unwind_frame *frame, uint64_t stack_low,
               uint64_t stack_high);

#endif
