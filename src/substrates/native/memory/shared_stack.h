/* shared_stack.h - the parts of the tasks' stacks that other tasks have accessed.
 *
 * An access of a task to its own stack nearly always concerns no other task, and is not told to
 * the analyses. If another task comes to that stack after all, the analyses have missed
 * accesses. So the execution begins again with the same decisions, and from then on the analyses
 * are told of accesses to that part of the stack. They are told of all accesses in a repetition
 * with evidence, and where executions cannot begin again.
 *
 * With --races=explore accesses to a task's own stack are no operations. This is wrong as soon
 * as another task comes to any stack. Then the whole search begins again, with
 * options.shared_stacks. */
#ifndef NATIVE_SHARED_STACK_H
#define NATIVE_SHARED_STACK_H

#include "substrates/native/tasks/task.h"

struct stack_part {
    uint64_t low, high; /* equal: no other task has been there */
};

extern struct stack_part shared_stacks[SESSION_TASKS_MAX];
/* The analyses are not told what a task does with its own stack, in this execution. */
extern bool private_stacks;

/* An execution begins. */
void stacks_begin(void);

/* Whether this access to the task's own stack concerns no other task. */
static inline bool stack_is_private(const struct task *task, uint64_t address, uint32_t size) {
    const struct stack_part *shared = &shared_stacks[task->id];
    return private_stacks && (address >= shared->high || address + size <= shared->low);
}

void stack_visited(const struct task *task, uint64_t address, uint32_t size);

/* The task accesses memory that is not on its own stack. The execution may begin again; then
 * this does not return. */
static inline void stack_look_out(const struct task *task, uint64_t address, uint32_t size) {
    if (__builtin_expect(private_stacks && in_slots(address), 0))
        stack_visited(task, address, size);
}

#endif
