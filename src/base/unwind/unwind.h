/* unwind.h - finds the caller of a function, by the tables that compilers write for exceptions.
 *
 * It is used for stacks through code that `heddle cc` has not compiled. It reads only tables and
 * the stack, stays within the given bounds even if the tables are damaged, and calls no code of the
 * program. So it can be used at any point of any program. Rows are kept, because many stacks are
 * taken and they have few different places. */
#ifndef BASE_UNWIND_UNWIND_H
#define BASE_UNWIND_UNWIND_H

#include "base/unwind/row.h"

enum { UNWIND_MODULES = 64, UNWIND_ROWS = 512 };

/* The position in a function. Only the registers that a call preserves are known: rbx, rbp, rsp,
 * r12 to r15, rip. */
struct unwind_frame {
    uint64_t registers[UNWIND_REGISTERS];
    bool interrupted; /* rip is the next instruction; otherwise it is a return address */
};

/* The row of a place, and whether it is code. */
struct unwind_kept {
    uint64_t place; /* 0: none yet */
    bool code;      /* the place is in the code of a module */
    bool signal_frame;
    struct unwind_row row;
};

struct unwind {
    struct unwind_module modules[UNWIND_MODULES];
    uint32_t module_count;
    struct unwind_kept kept[UNWIND_ROWS];
    struct unwind_room room;
};

/* Modules for which there is no room are left out: a stack ends at their functions. */
void unwind_add(struct unwind *self, const struct unwind_module *module);

/* Goes to the caller. Returns false, and changes nothing, if there is no caller or if it is not
 * known. All frames are in [stack_low, stack_high). */
bool unwind_up(struct unwind *self, struct unwind_frame *frame, uint64_t stack_low,
               uint64_t stack_high);

#endif
