/* stack.h - the call stacks of tasks, for evidence. */
#ifndef NATIVE_STACK_H
#define NATIVE_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct debugger_registers;
struct dl_phdr_info;
struct task;

/* Writes the places of the current stack of a task to `pcs`, innermost first, at most `max`, and
 * returns their number. The stack begins at the place `innermost`. If that is 0, it consists of the
 * records of instrumented functions only. */
uint32_t task_stack(const struct task *task, uint64_t innermost, uint64_t *pcs, uint32_t max);

/* Before main, for each module: adds its unwind tables, by which stacks are walked. */
void stack_add_module(const struct dl_phdr_info *info);

/* Before an execution: forgets where a task was interrupted. */
void stack_reset(void);
/* Called in a signal handler, with the handler's context. Notes the registers of the interrupted
 * task, where a walk of its stack begins. Returns the innermost place in the program in the form
 * of a return address: readers of stacks look up the instruction before it. */
uint64_t stack_interrupted(const struct task *task, const void *signal_context);

/* Returns true if the signal interrupted a library, which may hold locks of its own. */
bool stack_interrupted_in_library(void);
/* Hands over the registers that stack_interrupted() has noted, and forgets them. Returns false if
 * there are none. */
bool stack_take_interrupted(struct debugger_registers *registers);

/* Notes the registers of the calling function. They are valid until that function returns. */
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
