/* stack.h - the call stacks of tasks, for evidence. */
#ifndef NATIVE_STACK_H
#define NATIVE_STACK_H

#include "engine/debugger.h"
#include "substrates/native/runtime.h"

struct dl_phdr_info;

/* Before main, of each module: its tables will be used. */
void stack_add_module(const struct dl_phdr_info *info);

/* Before an execution: nobody has been interrupted. */
void stack_reset(void);
/* On the signal stack, with what the handler got: where the task was, for its stack. Gives the place in the
 * program, as readers of stacks want it: they look up the instruction before a return address. */
uint64_t stack_interrupted(const struct task *task, const void *signal_context);

/* That signal came within a library, which may hold locks of its own. */
bool stack_interrupted_in_library(void);
/* Where the signal came that was told last, and forgets it; false if none did. */
bool stack_take_interrupted(struct debugger_registers *registers);

/* Where the function stands that this is in, as long as it does not return. */
static inline __attribute__((always_inline)) void
stack_note_registers(struct debugger_registers *registers) {
    __asm__ volatile("lea 0(%%rip), %%rax\n\t"
                     "mov %%rax, 0(%0)\n\t"
                     "mov %%rsp, 8(%0)\n\t"
                     "mov %%rbp, 16(%0)\n\t"
                     "mov %%rbx, 24(%0)\n\t"
                     "mov %%r12, 32(%0)\n\t"
                     "mov %%r13, 40(%0)\n\t"
                     "mov %%r14, 48(%0)\n\t"
                     "mov %%r15, 56(%0)"
                     :
                     : "r"(registers)
                     : "rax", "memory");
}

#endif
