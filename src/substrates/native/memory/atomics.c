/* atomics.c - atomic operations, as the compilers instrument them for ThreadSanitizer: we make
 * the access and return the value. All of them return sequentially consistent values. The order
 * that the program asked for is kept in the operation, and the race analysis uses it.
 *
 * Some atomics become calls of libatomic instead of ThreadSanitizer: the compiler decides by
 * type, alignment and language. We define these too. Most of them are the same function by
 * another name (atomics_names.c). Those that get a size as an argument are in atomics_sized.c. */
#include "substrates/native/memory/atomics.h"

#include "substrates/native/tasks/spin.h"

static void effect(struct task *task, bool changed, const volatile void *at, uint32_t size) {
    if (changed)
        task->effects++;
    else
        spin_read(task, (const void *)at, size);
}

#define APPLY(how, old, operand) \
    ((how) == MODIFY_EXCHANGE ? (operand) \
     : (how) == MODIFY_ADD    ? (old) + (operand) \
     : (how) == MODIFY_SUB    ? (old) - (operand) \
     : (how) == MODIFY_AND    ? ((old) & (operand)) \
     : (how) == MODIFY_OR     ? ((old) | (operand)) \
     : (how) == MODIFY_XOR    ? ((old) ^ (operand)) \
                              : ~((old) & (operand)))

#define RMW(bits, type, name, how) \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *at, type operand, int order) { \
        return modify##bits(at, operand, order, how, CALLER); \
    }

#define ATOMICS(bits, type) \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
        struct task *task = rt.current; \
        if (task == NULL) \
            return real_load##bits(at); \
        struct event *event = atomic_operation(task, OP_LOAD, at, sizeof *at, order, 0, CALLER); \
        type value = *at; \
        event->result = (uint64_t)value; \
        spin_read(task, (const void *)at, sizeof *at); \
        happened(event); \
        return value; \
    } \
    static inline __attribute__((always_inline)) void store##bits(volatile type *at, type value, \
                                                                  int order, uint64_t pc) { \
        struct task *task = rt.current; \
        if (task == NULL) { \
            real_exchange##bits(at, value); \
            return; \
        } \
        struct event *event = \
            atomic_operation(task, OP_STORE, at, sizeof *at, order, (uint64_t)value, pc); \
        task->effects++; \
        event->result = (uint64_t)*at; \
        *at = value; \
        happened(event); \
    } \
    EXPORT void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
        store##bits(at, value, order, CALLER); \
    } \
    static type modify##bits(volatile type *at, type operand, int order, enum modification how, \
                             uint64_t pc) { \
        struct task *task = rt.current; \
        if (task == NULL) { \
            type seen = real_load##bits(at); \
            while (!real_compare_exchange##bits(at, &seen, (type)APPLY(how, seen, operand))) \
                ; \
            return seen; \
        } \
        struct event *event = \
            atomic_operation(task, OP_RMW, at, sizeof *at, order, (uint64_t)operand, pc); \
        type old = *at; \
        *at = (type)APPLY(how, old, operand); \
        event->op.modification = how; \
        event->result = (uint64_t)old; \
        effect(task, *at != old, at, sizeof *at); \
        happened(event); \
        return old; \
    } \
    RMW(bits, type, exchange, MODIFY_EXCHANGE) \
    RMW(bits, type, fetch_add, MODIFY_ADD) \
    RMW(bits, type, fetch_sub, MODIFY_SUB) \
    RMW(bits, type, fetch_and, MODIFY_AND) \
    RMW(bits, type, fetch_or, MODIFY_OR) \
    RMW(bits, type, fetch_xor, MODIFY_XOR) \
    RMW(bits, type, fetch_nand, MODIFY_NAND) \
    static type cas##bits(volatile type *at, type expected, type desired, int order, \
                          int order_failed, uint64_t pc) { \
        struct task *task = rt.current; \
        if (task == NULL) { \
            real_compare_exchange##bits(at, &expected, desired); \
            return expected; \
        } \
        struct event *event = \
            atomic_operation(task, OP_CAS, at, sizeof *at, order, (uint64_t)expected, pc); \
        type old = *at; \
        event->op.desired = (uint64_t)desired; \
        event->op.failure_order = \
            task->annotated.ignores_sync ? ORDER_RELAXED : (uint32_t)order_failed & 7; \
        event->result = (uint64_t)old; \
        if (old == expected) \
            *at = desired; \
        else \
            event->flags |= EVENT_FAILED; \
        effect(task, *at != old, at, sizeof *at); \
        happened(event); \
        return old; \
    } \
    /* The compilers do not instrument the accesses to the expected value. */ \
    static bool exchange##bits(volatile type *at, type *expected, type desired, int order, \
                               int order_failed, uint64_t pc) { \
        access_for((uint64_t)expected, sizeof *expected, false, pc); \
        type wanted = *expected, old = cas##bits(at, wanted, desired, order, order_failed, pc); \
        if (old == wanted) \
            return true; \
        access_for((uint64_t)expected, sizeof *expected, true, pc); \
        *expected = old; \
        return false; \
    } \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong( \
        volatile type *at, type *expected, type desired, int order, int order_failed) { \
        return exchange##bits(at, expected, desired, order, order_failed, CALLER); \
    } \
    /* A weak exchange that fails without a reason adds only a retry: it is a strong one here. */ \
    EXPORT int __tsan_atomic##bits##_compare_exchange_weak( \
        volatile type *at, type *expected, type desired, int order, int order_failed) { \
        return exchange##bits(at, expected, desired, order, order_failed, CALLER); \
    } \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val( \
        volatile type *at, type expected, type desired, int order, int order_failed) { \
        return cas##bits(at, expected, desired, order, order_failed, CALLER); \
    }

/* Not under control: the processor's own atomics. */
#define REAL_ATOMICS(bits, type) \
    static type real_load##bits(const volatile type *at) { \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    } \
    static type real_exchange##bits(volatile type *at, type value) { \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
    } \
    static bool real_compare_exchange##bits(volatile type *at, type *seen, type desired) { \
        return __atomic_compare_exchange_n(at, seen, desired, false, __ATOMIC_SEQ_CST, \
                                           __ATOMIC_SEQ_CST); \
    }
REAL_ATOMICS(8, uint8_t)
REAL_ATOMICS(16, uint16_t)
REAL_ATOMICS(32, uint32_t)
REAL_ATOMICS(64, uint64_t)

/* cmpxchg16b can do all three. The compilers would call libatomic. */
static bool real_compare_exchange128(volatile uint128 *at, uint128 *seen, uint128 desired) {
    uint64_t low = (uint64_t)*seen, high = (uint64_t)(*seen >> 64);
    bool done;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*at), "+a"(low), "+d"(high)
                     : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                     : "memory");
    *seen = ((uint128)high << 64) | low;
    return done;
}
static uint128 real_load128(const volatile uint128 *at) {
    uint128 seen = 0;
    real_compare_exchange128((volatile uint128 *)at, &seen, 0);
    return seen;
}
static uint128 real_exchange128(volatile uint128 *at, uint128 value) {
    uint128 seen = 0;
    while (!real_compare_exchange128(at, &seen, value))
        ;
    return seen;
}

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, uint128)

/* --- the functions of libatomic that ThreadSanitizer has not -------------------------------- */

#define LIBRARY_RMW(bits, type, name, how) \
    LIBRARY_FUNCTION type library_##name##_fetch##bits(volatile type *at, type operand, \
                                                       int order) { \
        type old = modify##bits(at, operand, order, how, CALLER); \
        return (type)APPLY(how, old, operand); \
    }

#define LIBRARY(bits, type) \
    LIBRARY_RMW(bits, type, add, MODIFY_ADD) \
    LIBRARY_RMW(bits, type, sub, MODIFY_SUB) \
    LIBRARY_RMW(bits, type, and, MODIFY_AND) \
    LIBRARY_RMW(bits, type, or, MODIFY_OR) \
    LIBRARY_RMW(bits, type, xor, MODIFY_XOR) \
    LIBRARY_RMW(bits, type, nand, MODIFY_NAND)

LIBRARY(8, uint8_t)
LIBRARY(16, uint16_t)
LIBRARY(32, uint32_t)
LIBRARY(64, uint64_t)
LIBRARY(128, uint128)

/* --- flags and fences, where they are functions --------------------------------------------- */

LIBRARY_FUNCTION bool library_flag_set(volatile uint8_t *at) {
    return modify8(at, 1, ORDER_SEQ_CST, MODIFY_EXCHANGE, CALLER) != 0;
}
LIBRARY_FUNCTION bool library_flag_set_explicit(volatile uint8_t *at, int order) {
    return modify8(at, 1, order, MODIFY_EXCHANGE, CALLER) != 0;
}
LIBRARY_FUNCTION void library_flag_clear(volatile uint8_t *at) {
    store8(at, 0, ORDER_SEQ_CST, CALLER);
}
LIBRARY_FUNCTION void library_flag_clear_explicit(volatile uint8_t *at, int order) {
    store8(at, 0, order, CALLER);
}

static void fence(int order, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    struct op op = {.kind = OP_FENCE, .order = (uint8_t)(order & 7), .pc = pc};
    if (task->annotated.ignores_sync)
        op.order = ORDER_RELAXED;
    happened(perform(task, &op, NULL, NULL));
}

EXPORT void __tsan_atomic_thread_fence(int order) {
    fence(order, CALLER);
}
LIBRARY_FUNCTION void library_thread_fence(int order) {
    fence(order, CALLER);
}

/* Orders a thread with its own signal handler. No other task could notice this. */
EXPORT void __tsan_atomic_signal_fence(int order) {
    (void)order;
}
LIBRARY_FUNCTION void library_signal_fence(int order) {
    (void)order;
}
