/* layout.h - where things stand in the address space of a tested program.
 *
 * The place of everything that belongs to a task depends on the number of the task only, and the
 * number depends on the task's name only. So addresses do not depend on the schedule. A task's
 * memory is mapped when the task first appears. It costs address space, not memory. */
#ifndef NATIVE_LAYOUT_H
#define NATIVE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/program.h"

enum { PAGE = 4096 };

/* Heap arenas, one for each task. The last arena has our own allocations. */
#define HEAP_BASE 0x200000000000u
#define HEAP_ARENA ((uint64_t)1 << 32)
#define HEAP_ARENAS (SESSION_TASKS_MAX + 1)
#define HEAP_INTERNAL SESSION_TASKS_MAX
#define HEAP_END (HEAP_BASE + HEAP_ARENAS * HEAP_ARENA)

/* One byte for each eight bytes of the heap: whether the program may touch them. */
#define HEAP_SHADOW 0x300000000000u

/* The memory and the queues of machines and monitors (machines/machine.h). */
#define MACHINE_BASE 0x380000000000u
#define MACHINE_SLOT (((uint64_t)384 << 10) + 5 * 64)
#define MACHINE_SLOTS (SESSION_TASKS_MAX + 16)

/* The result of a trial, which two processes share (tasks/trial.c). */
#define TRIAL_PAGE 0x3f0000000000u

/* A slot for each task: guard, stack, guard, call records, and then the stack of the parked
 * thread whose thread-local storage the task uses. That storage is at the very top. */
#define SLOT_BASE 0x400000000000u
#define SLOT_SIZE ((uint64_t)32 << 20)
#define SLOT_GUARD ((uint64_t)64 << 10)
#define SLOT_STACK ((uint64_t)8 << 20)
#define SLOT_RESERVE ((uint64_t)16 << 10) /* the last part of a stack, for our own frames */
#define SLOT_BELOW \
    ((uint64_t)1 << 30) /* a stack pointer within this distance below a stack has overflowed it */
#define SLOT_CALLS ((uint64_t)8 << 20)
#define SLOT_THREAD ((uint64_t)8 << 20)

static inline uint64_t slot_at(uint32_t task) {
    return SLOT_BASE + task * SLOT_SIZE;
}
static inline bool in_slots(uint64_t address) {
    return address - SLOT_BASE < SESSION_TASKS_MAX * SLOT_SIZE;
}
static inline uint64_t slot_stack_low(uint32_t task) {
    return slot_at(task) + SLOT_GUARD;
}
static inline uint64_t slot_stack_top(uint32_t task) {
    return slot_stack_low(task) + SLOT_STACK;
}
static inline uint64_t slot_calls(uint32_t task) {
    return slot_stack_top(task) + SLOT_GUARD;
}
static inline uint64_t slot_thread(uint32_t task) {
    return slot_calls(task) + SLOT_CALLS;
}

#endif
