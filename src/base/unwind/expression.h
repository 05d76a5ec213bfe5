/* expression.h - DWARF expressions, as far as call frame information uses them: where a stack was
 * realigned, in signal frames, and in jump tables (.plt). */
#ifndef BASE_UNWIND_EXPRESSION_H
#define BASE_UNWIND_EXPRESSION_H

#include "base/unwind/row.h"

/* The registers and the memory to which an expression can refer. */
struct unwind_state {
    const uint64_t *registers;
    uint64_t low, high; /* the bounds of the stack; nothing else is read */
};

/* Whether a call preserves the register. */
static inline bool unwind_is_known(uint64_t number) {
    return number < UNWIND_REGISTERS &&
           ((1u << UNWIND_RBX | 1u << UNWIND_RBP | 1u << UNWIND_RSP | 1u << UNWIND_R12 |
             1u << UNWIND_R13 | 1u << UNWIND_R14 | 1u << UNWIND_R15 | 1u << UNWIND_RIP) >>
                number &
            1);
}

/* A word of the stack. */
static inline bool unwind_load(const struct unwind_state *state, uint64_t address,
                               uint64_t *value) {
    if (address % 8 != 0 || address < state->low || address >= state->high)
        return false;
    *value = *(const uint64_t *)address;
    return true;
}

/* Evaluates the rule. The stack of the machine begins with `*pushed`, if that is not NULL. Returns
 * false if the expression is not understood, or reads beyond its bounds. */
bool unwind_evaluate(const struct unwind_rule *rule, const struct unwind_state *state,
                     const uint64_t *pushed, uint64_t *value);

#endif
