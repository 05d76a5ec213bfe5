/* moves.h - an increment by plain moves in assembly, in a header. */
#ifndef MOVES_H
#define MOVES_H

static inline void move_up(int *number) {
    __asm__ volatile("movl (%0), %%eax\n\tincl %%eax\n\tmovl %%eax, (%0)"
                     :
                     : "r"(number)
                     : "eax", "memory");
}

#endif
