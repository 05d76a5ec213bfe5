/* layout.h - where things stand in the address space of a tested program.
 *
 * Everything that belongs to a task has a place that depends on its number only, and the number on its
 * name only, so addresses do not depend on the schedule. All of it is mapped when the
 * task first appears, and costs address space, not memory. */
#ifndef NATIVE_LAYOUT_H
#define NATIVE_LAYOUT_H

#include <stdint.h>

#include "engine/session.h"

enum { PAGE = 4096 };

/* Heap arenas, one a task, and the last for allocations that are our own or come before main. */
#define HEAP_BASE 0x200000000000u
#define HEAP_ARENA ((uint64_t)1 << 32)
#define HEAP_ARENAS (SESSION_TASKS + 1)
#define HEAP_INTERNAL SESSION_TASKS
#define HEAP_END (HEAP_BASE + HEAP_ARENAS * HEAP_ARENA)

/* One byte for each eight of the heap: may they be touched? */
#define HEAP_SHADOW 0x300000000000u

/* Machines and their monitors: what they remember, and what waits for them (machine.h). */
#define MACHINE_BASE 0x380000000000u
#define MACHINE_SLOT (((uint64_t)384 << 10) + 5 * 64)
#define MACHINE_SLOTS (SESSION_TASKS + 16)

/* A slot a task: guard, stack, guard, call records, then the stack of the parked thread whose
 * thread-local storage it has (at the very top of that). */
#define SLOT_BASE 0x400000000000u
#define SLOT_SIZE ((uint64_t)32 << 20)
#define SLOT_GUARD ((uint64_t)64 << 10)
#define SLOT_STACK ((uint64_t)8 << 20)
#define SLOT_RESERVE ((uint64_t)16 << 10) /* its last part, for us */
#define SLOT_BELOW \
    ((uint64_t)1 << 30) /* so far below a stack, a stack pointer is one that overflows */
#define SLOT_CALLS ((uint64_t)8 << 20)
#define SLOT_THREAD ((uint64_t)8 << 20)

static inline uint64_t slot_at(uint32_t task) {
    return SLOT_BASE + task * SLOT_SIZE;
}
static inline bool in_slots(uint64_t address) {
    return address - SLOT_BASE < SESSION_TASKS * SLOT_SIZE;
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
