/* shared_stack.h - which parts of the tasks' stacks others have been to.
 *
 * What a task does with its own stack is nearly always nobody else's business, and not told to the analyses.
 * When another task comes there after all, what was not told is missing: the execution begins again with the
 * same decisions, and in this one and all that follow the accesses of that part are told. In evidence, and
 * where no execution can begin again, all are.
 *
 * With --races=explore they are no operations, which is wrong as soon as another task comes to any stack: then
 * the whole search begins again, with options.shared_stacks. */
#ifndef NATIVE_SHARED_STACK_H
#define NATIVE_SHARED_STACK_H

#include "substrates/native/runtime.h"

struct stack_part {
    uint64_t low, high; /* equal: nobody else has been anywhere */
};

extern struct stack_part shared_stacks[SESSION_TASKS];

/* An execution begins. */
void stacks_begin(void);

/* Is this access of the task's own stack nobody else's business? */
static inline bool stack_is_private(const struct task *task, uint64_t address, uint32_t size) {
    const struct stack_part *shared = &shared_stacks[task->id];
    return rt.private_stacks && (address >= shared->high || address + size <= shared->low);
}

void stack_visited(const struct task *task, uint64_t address, uint32_t size);

/* The task accesses memory that is not on its stack. May begin the execution again, and not return. */
static inline void stack_look_out(const struct task *task, uint64_t address, uint32_t size) {
    if (__builtin_expect(rt.private_stacks && in_slots(address), 0))
        stack_visited(task, address, size);
}

#endif
