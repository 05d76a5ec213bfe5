/* stack_room.h - the room of a task's stack: whether an address lies in it, and how much is
 * left. */
#ifndef NATIVE_STACK_ROOM_H
#define NATIVE_STACK_ROOM_H

#include "substrates/native/tasks/task.h"

static inline bool own_stack(const struct task *task, uint64_t address) {
    return address - slot_stack_low(task->id) < SLOT_STACK;
}

/* Whether the stack pointer has run out of the task's stack, over the guard and into the memory
 * below. A stack that the program made itself (a coroutine's) lies elsewhere. */
static inline bool stack_overflown(const struct task *task, uint64_t sp) {
    return slot_stack_low(task->id) - 1 - sp < SLOT_BELOW;
}

/* Whether so little is left that our own frames may not fit. The room that our frames need
 * depends on the search and on the evidence that is collected, so the overflow itself must not
 * decide. */
static inline bool stack_used_up(const struct task *task, uint64_t sp) {
    return stack_overflown(task, sp - SLOT_RESERVE);
}

/* Without a frame of its own, since it copies the memory below the stack pointer. */
static inline __attribute__((always_inline)) void copy_below(char *to, const char *from,
                                                             uint64_t count) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static inline uint64_t read_sp(void) {
    uint64_t sp;
    __asm__("mov %%rsp, %0" : "=r"(sp));
    return sp;
}

_Noreturn void stack_overflow(struct task *task, uint64_t pc); /* program/crash.c */

#endif
