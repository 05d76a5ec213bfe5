/* access.h - plain accesses of the program, and accesses that we make for it (plain.c). */
#ifndef NATIVE_ACCESS_H
#define NATIVE_ACCESS_H

#include "engine/session_place.h"
#include "substrates/native/layout.h"
#include "substrates/native/program/code.h"

struct task;

struct plain_accesses {
    bool instrumented; /* there is code that was compiled by `heddle cc` */
    bool explored;     /* --races=explore: plain accesses are operations */
};

extern struct plain_accesses plain_accesses;

/* We, or the kernel, touch these bytes for the program: they are checked as an access of the
 * program. */
void access_for(uint64_t address, uint64_t size, bool write, uint64_t pc);

/* Returns unless the address is a thread-local variable of a thread that has ended: then this is
 * a finding. The address lies in some task's slot. */
void check_thread_local(struct task *task, uint64_t address, bool write, uint64_t pc);

_Noreturn void wild_write(struct task *task, uint64_t address, uint64_t pc);

/* Memory of ours, which no program should touch. */
static inline bool is_own_memory(uint64_t address) {
    return address - (uint64_t)SESSION_ADDRESS < SESSION_SIZE ||
           address - HEAP_SHADOW < (HEAP_END - HEAP_BASE) / 8 ||
           in_range(&code_ranges.own_data, address);
}

/* Returns if the program may write there; else this is a finding, made before the damage. */
static inline void check_target(struct task *task, uint64_t address, uint32_t size, uint64_t pc) {
    if (__builtin_expect(is_own_memory(address) || is_own_memory(address + size - 1), 0))
        wild_write(task, address, pc);
}

#endif
