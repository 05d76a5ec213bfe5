/* atomics_sized.c - the functions of libatomic that get a size. The compilers call them for
 * atomic structures for which there is no instruction, or perhaps none: of 3 bytes, of 12, of
 * 4096.
 *
 * Such an atomic is one operation on all of its bytes, with padding, whatever its size. Its
 * event keeps the first 8 bytes of each value. An atomic that is too large for one operation is
 * an atomic section, and a loop that waits for it is not recognised.
 *
 * If no task is running, the processor's own atomics are used where they exist, and all others
 * share a lock. */
#include <string.h>

#include "base/bytes.h"
#include "substrates/native/memory/atomics.h"
#include "substrates/native/tasks/section.h"
#include "substrates/native/tasks/spin.h"

enum { PART = 128 };

/* --- not under control ---------------------------------------------------------------------- */

static bool is_exact(size_t size, const volatile void *at) {
    return (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) &&
           (uint64_t)at % size == 0;
}

static bool real_lock;

static void lock_real(void) {
    while (__atomic_test_and_set(&real_lock, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}

static void unlock_real(void) {
    __atomic_clear(&real_lock, __ATOMIC_RELEASE);
}

/* The operation of that size on a value of that type. Both buffers may be unaligned. */
#define EXACT_SIZES(EXACT) \
    case 1: EXACT(8, uint8_t); \
    case 2: EXACT(16, uint16_t); \
    case 4: EXACT(32, uint32_t); \
    case 8: EXACT(64, uint64_t); \
    case 16: \
        EXACT(128, uint128);

#define EXACT_EXCHANGE(bits, type) \
    { \
        type value, old; \
        bytes_copy(&value, from, sizeof value); \
        old = __tsan_atomic##bits##_exchange(at, value, ORDER_SEQ_CST); \
        bytes_copy(to, &old, sizeof old); \
        return; \
    }
#define EXACT_LOAD(bits, type) \
    { \
        type old = __tsan_atomic##bits##_load(at, ORDER_SEQ_CST); \
        bytes_copy(to, &old, sizeof old); \
        return; \
    }
#define EXACT_COMPARE(bits, type) \
    { \
        type wanted, value; \
        bytes_copy(&wanted, expected, sizeof wanted); \
        bytes_copy(&value, desired, sizeof value); \
        bool done = __tsan_atomic##bits##_compare_exchange_strong(at, &wanted, value, \
                                                                  ORDER_SEQ_CST, ORDER_SEQ_CST); \
        bytes_copy(expected, &wanted, sizeof wanted); \
        return done; \
    }

static void real_load(size_t size, const void *at, void *to) {
    switch (is_exact(size, at) ? size : 0) { EXACT_SIZES(EXACT_LOAD) }
    lock_real();
    bytes_copy(to, at, size);
    unlock_real();
}

static void real_store(size_t size, void *at, const void *from) {
    char to[sizeof(uint128)]; /* the old value, which is not wanted */
    switch (is_exact(size, at) ? size : 0) { EXACT_SIZES(EXACT_EXCHANGE) }
    lock_real();
    bytes_copy(at, from, size);
    unlock_real();
}

/* The new value and the old value may be at the same place. */
static void exchange_bytes(size_t size, char *at, const char *from, char *to) {
    for (size_t i = 0; i < size; i++) {
        char old = at[i];
        at[i] = from[i];
        to[i] = old;
    }
}

static void real_exchange(size_t size, void *at, const void *from, void *to) {
    switch (is_exact(size, at) ? size : 0) { EXACT_SIZES(EXACT_EXCHANGE) }
    lock_real();
    exchange_bytes(size, at, from, to);
    unlock_real();
}

static bool real_compare_exchange(size_t size, void *at, void *expected, const void *desired) {
    switch (is_exact(size, at) ? size : 0) { EXACT_SIZES(EXACT_COMPARE) }
    lock_real();
    bool same = memcmp(at, expected, size) == 0;
    bytes_copy(same ? at : expected, same ? desired : at, size);
    unlock_real();
    return same;
}

/* --- one operation -------------------------------------------------------------------------- */

struct value {
    unsigned char bytes[UINT8_MAX];
};

static uint64_t first_bytes(const void *from, size_t size) {
    uint64_t first = 0;
    bytes_copy(&first, from, size < sizeof first ? size : sizeof first);
    return first;
}

/* Reads a value for the program, which has only passed its address. */
static void take(struct value *value, const void *from, uint32_t size, uint64_t pc) {
    access_for((uint64_t)from, size, false, pc);
    bytes_clear(value, sizeof *value);
    bytes_copy(value, from, size);
}

static void give(void *to, const struct value *value, uint32_t size, uint64_t pc) {
    access_for((uint64_t)to, size, true, pc);
    bytes_copy(to, value, size);
}

static void one_load(struct task *task, uint32_t size, const void *at, void *to, int order,
                     uint64_t pc) {
    struct value value = {0};
    struct event *event = atomic_operation(task, OP_LOAD, at, size, order, 0, pc);
    bytes_copy(&value, at, size);
    event->result = first_bytes(at, size);
    spin_read(task, at, size);
    happened(event);
    give(to, &value, size, pc);
}

static void one_store(struct task *task, uint32_t size, void *at, const void *from, int order,
                      uint64_t pc) {
    struct value value;
    take(&value, from, size, pc);
    uint64_t first = first_bytes(&value, size);
    struct event *event = atomic_operation(task, OP_STORE, at, size, order, first, pc);
    task->effects++;
    event->result = first_bytes(at, size);
    bytes_copy(at, &value, size);
    happened(event);
}

static void one_exchange(struct task *task, uint32_t size, void *at, const void *from, void *to,
                         int order, uint64_t pc) {
    struct value value, old = {0};
    take(&value, from, size, pc);
    uint64_t first = first_bytes(&value, size);
    struct event *event = atomic_operation(task, OP_RMW, at, size, order, first, pc);
    bytes_copy(&old, at, size);
    event->op.modification = MODIFY_EXCHANGE;
    event->result = first_bytes(at, size);
    if (memcmp(&old, &value, size) == 0)
        spin_read(task, at, size);
    else
        task->effects++;
    bytes_copy(at, &value, size);
    happened(event);
    give(to, &old, size, pc);
}

static bool one_compare_exchange(struct task *task, uint32_t size, void *at, void *expected,
                                 const void *desired, int order, int order_failed, uint64_t pc) {
    struct value wanted, value, old = {0};
    take(&wanted, expected, size, pc);
    take(&value, desired, size, pc);
    uint64_t first = first_bytes(&wanted, size);
    struct event *event = atomic_operation(task, OP_CAS, at, size, order, first, pc);
    bytes_copy(&old, at, size);
    bool same = memcmp(&old, &wanted, size) == 0;
    event->op.desired = first_bytes(&value, size);
    event->op.failure_order = (uint32_t)order_failed & 7;
    event->result = first_bytes(at, size);
    if (!same)
        event->flags |= EVENT_FAILED;
    if (same && memcmp(&old, &value, size) != 0)
        task->effects++;
    else
        spin_read(task, at, size);
    if (same)
        bytes_copy(at, &value, size);
    happened(event);
    if (!same)
        give(expected, &old, size, pc);
    return same;
}

/* --- too large for one ---------------------------------------------------------------------- */

/* Tells the race analysis each part within the section, with the order that was asked for. */
static void tell_parts(struct task *task, enum op_kind kind, uint64_t size, const char *at,
                       const char *value, int order, uint32_t target, bool failed, uint64_t pc) {
    for (uint64_t i = 0; i < size; i += PART) {
        uint32_t part = size - i < PART ? (uint32_t)(size - i) : PART;
        uint64_t first = value == NULL ? 0 : first_bytes(value + i, part);
        struct event *event = atomic_operation(task, kind, at + i, part, order, first, pc);
        event->op.target = target;
        event->result = first_bytes(at + i, part);
        if (failed)
            event->flags |= EVENT_FAILED;
        happened(event);
    }
}

static void large_load(struct task *task, uint64_t size, const void *at, void *to, int order,
                       uint64_t pc) {
    section_begin_seen(pc);
    tell_parts(task, OP_LOAD, size, at, NULL, order, 0, false, pc);
    access_for((uint64_t)to, size, true, pc);
    bytes_copy(to, at, size);
    section_end(pc);
}

static void large_store(struct task *task, uint64_t size, void *at, const void *from, int order,
                        uint64_t pc) {
    section_begin_seen(pc);
    access_for((uint64_t)from, size, false, pc);
    tell_parts(task, OP_STORE, size, at, from, order, 0, false, pc);
    bytes_copy(at, from, size);
    section_end(pc);
}

static void large_exchange(struct task *task, uint64_t size, void *at, const void *from, void *to,
                           int order, uint64_t pc) {
    section_begin_seen(pc);
    access_for((uint64_t)from, size, false, pc);
    tell_parts(task, OP_RMW, size, at, from, order, MODIFY_EXCHANGE, false, pc);
    access_for((uint64_t)to, size, true, pc);
    exchange_bytes(size, at, from, to);
    section_end(pc);
}

static bool large_compare_exchange(struct task *task, uint64_t size, void *at, void *expected,
                                   const void *desired, int order, int order_failed, uint64_t pc) {
    section_begin_seen(pc);
    access_for((uint64_t)expected, size, false, pc);
    access_for((uint64_t)desired, size, false, pc);
    bool same = memcmp(at, expected, size) == 0;
    tell_parts(task, OP_CAS, size, at, desired, order, (uint32_t)order_failed & 7, !same, pc);
    if (!same)
        access_for((uint64_t)expected, size, true, pc);
    bytes_copy(same ? at : expected, same ? desired : at, size);
    section_end(pc);
    return same;
}

/* --- the functions -------------------------------------------------------------------------- */

static bool is_one(size_t size) {
    return size <= UINT8_MAX;
}

LIBRARY_FUNCTION void library_sized_load(size_t size, const void *at, void *to, int order) {
    struct task *task = rt.current;
    if (task == NULL || size == 0)
        real_load(size, at, to);
    else if (is_one(size))
        one_load(task, (uint32_t)size, at, to, order, CALLER);
    else
        large_load(task, size, at, to, order, CALLER);
}

LIBRARY_FUNCTION void library_sized_store(size_t size, void *at, const void *from, int order) {
    struct task *task = rt.current;
    if (task == NULL || size == 0)
        real_store(size, at, from);
    else if (is_one(size))
        one_store(task, (uint32_t)size, at, from, order, CALLER);
    else
        large_store(task, size, at, from, order, CALLER);
}

LIBRARY_FUNCTION void library_sized_exchange(size_t size, void *at, const void *from, void *to,
                                             int order) {
    struct task *task = rt.current;
    if (task == NULL || size == 0)
        real_exchange(size, at, from, to);
    else if (is_one(size))
        one_exchange(task, (uint32_t)size, at, from, to, order, CALLER);
    else
        large_exchange(task, size, at, from, to, order, CALLER);
}

LIBRARY_FUNCTION bool library_sized_compare_exchange(size_t size, void *at, void *expected,
                                                     const void *desired, int order,
                                                     int order_failed) {
    struct task *task = rt.current;
    if (task == NULL || size == 0)
        return real_compare_exchange(size, at, expected, desired);
    if (is_one(size))
        return one_compare_exchange(task, (uint32_t)size, at, expected, desired, order,
                                    order_failed, CALLER);
    return large_compare_exchange(task, size, at, expected, desired, order, order_failed, CALLER);
}

/* The answer of libatomic: whether the object lies within an aligned word of the processor. */
LIBRARY_FUNCTION bool library_sized_is_lock_free(size_t size, const void *at) {
    return size <= 8 && (uint64_t)at % 8 + size <= 8;
}
