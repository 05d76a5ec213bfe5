/* interpose.h - how a function of ours stands in front of one of the C library or of
 * ThreadSanitizer. */
#ifndef NATIVE_INTERPOSE_H
#define NATIVE_INTERPOSE_H

#include <stddef.h>

#include "substrates/native/program/code.h"
#include "substrates/native/runtime.h"
#include "substrates/native/tasks/task.h"

/* Registers that a call need not preserve are cleared before the function returns. Compilers
 * push such a register where a frame must be filled up, and spin.c would see the value. */
#if __has_attribute(zero_call_used_regs)
#define CLEARS_REGISTERS __attribute__((zero_call_used_regs("all-gpr")))
#else
#define CLEARS_REGISTERS
#endif

/* A symbol that the tested program sees. The function is not inlined where our own code calls
 * it, since the return address tells whose call it is. */
#define EXPORT __attribute__((visibility("default"), noinline)) CLEARS_REGISTERS

/* The place of the program's call: the return address of the interposed function. Also notes
 * where the program's frames end, for spin.c. All registers that a call preserves are pushed
 * right below the return address. */
#define CALLER \
    ({ \
        __builtin_unwind_init(); \
        note_frame((uint64_t)__builtin_dwarf_cfa()); \
        (uint64_t) __builtin_return_address(0); \
    })
/* The same for a function that our own code calls as well. Only a call of the program is noted. */
#define CALLER_OF_PROGRAM \
    ({ \
        __builtin_unwind_init(); \
        uint64_t return_address = (uint64_t)__builtin_return_address(0); \
        if (called_by_program(return_address)) \
            note_frame((uint64_t)__builtin_dwarf_cfa()); \
        return_address; \
    })
/* The place alone, for a call that is no operation. */
#define CALLER_ADDRESS ((uint64_t)__builtin_return_address(0))

/* A call of an interposed function begins. */
static inline void note_frame(uint64_t frame) {
    if (rt.current == NULL)
        return;
    rt.current->calls.frame = frame;
    rt.current->calls.parts = 0;
}

/* The task that calls, or NULL if the unwinder calls. The locks and accesses of the unwinder are
 * not the program's: it never holds a lock across an operation, and reads tables that no code
 * writes. */
static inline struct task *task_calling(uint64_t pc) {
    return in_range(&code_ranges.unwinder, pc) ? NULL : rt.current;
}

/* A task of the program has called a function of the C library, and the runtime has not done so
 * for itself. */
static inline bool called_by_program(uint64_t pc) {
    return task_calling(pc) != NULL && !is_own_code(pc);
}

#endif
