/* atomics.h - what atomics of a known size and atomics of any size have in common. */
#ifndef NATIVE_ATOMICS_H
#define NATIVE_ATOMICS_H

#include "engine/session.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/tasks/operation.h"

typedef unsigned __int128 uint128;

/* Makes the operation, and returns its event once the task may do it. The size is at most
 * UINT8_MAX. */
static inline struct event *atomic_operation(struct task *task, enum op_kind kind,
                                             const volatile void *at, uint32_t size, int order,
                                             uint64_t value, uint64_t pc) {
    struct op op = {.kind = kind,
                    .order = (uint8_t)(order & 7),
                    .size = (uint8_t)size,
                    .object = (uint64_t)at,
                    .value = value,
                    .pc = pc};
    if (__builtin_expect(task->annotated.ignores_sync, 0))
        op.order = ORDER_RELAXED;
    if (op.order != ORDER_SEQ_CST)
        rt.session->result.observed.weak_orders = true;
    if (kind != OP_LOAD)
        check_target(task, (uint64_t)at, size, pc);
    return perform(task, &op, NULL, NULL);
}

/* Functions of libatomic. The compilers know the names of libatomic and treat them as built-in
 * functions, so the functions have other names in C. A call of the program arrives in
 * atomics_names.c. The attribute `used` is for link-time optimisation, which does not see those
 * jumps. */
#define LIBRARY_FUNCTION __attribute__((used, visibility("hidden"))) CLEARS_REGISTERS

/* The functions that know their size (atomics.c). If no task is running, they are the
 * processor's own atomics. */
#define SIZED(bits, type) \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *at, int order); \
    EXPORT type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order); \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong( \
        volatile type *at, type *expected, type desired, int order, int order_failed);
SIZED(8, uint8_t)
SIZED(16, uint16_t)
SIZED(32, uint32_t)
SIZED(64, uint64_t)
SIZED(128, uint128)
#undef SIZED

#endif
