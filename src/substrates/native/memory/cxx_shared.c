/* cxx_shared.c - what C++ threads share inside libstdc++.so: exceptions, and futures that become
 * ready at the end of a thread.
 *
 * An exception that std::exception_ptr holds has a count of references, in the header before the
 * object. The thread that gives up the last reference destroys the object. So giving up a
 * reference is an atomic subtraction that acquires and releases, and an operation here.
 * Otherwise the destruction would race with the uses of the object by other threads. An
 * exception that no other thread can have needs no such operations. The first exception_ptr
 * marks the exception, in a part of the header that the library clears and never uses.
 *
 * At the end of a thread, the library sets a future to ready by instructions of its own. This
 * file does it instead, by the atomics that an instrumented program would use.
 *
 * The layouts are those of the ABI (libsupc++/unwind-cxx.h, <future>, <bits/shared_ptr_base.h>). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <unwind.h>

#include "substrates/native/interpose.h"
#include "substrates/native/sync/futex.h"
#include "substrates/native/tasks/operation.h"

/* Changes a count or a status by an atomic operation. A count of 0 is not raised. Returns the
 * old value. */
static uint32_t change(uint32_t *at, enum modification how, uint32_t operand,
                       enum memory_order_kind order, uint64_t pc) {
    struct task *task = rt.current;
    struct op op = {.kind = OP_RMW,
                    .order = (uint8_t)order,
                    .size = sizeof *at,
                    .object = (uint64_t)at,
                    .value = operand,
                    .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    uint32_t before = *at;
    event->op.modification = how;
    event->result = before;
    if (how == MODIFY_EXCHANGE)
        *at = operand;
    else if (before > 0)
        *at = how == MODIFY_ADD ? before + operand : before - operand;
    task->effects++;
    happened(event);
    return before;
}

/* --- exceptions ------------------------------------------------------------------------------ */

enum {
    HEADER = 128, /* bytes before a thrown object; they begin with the count of references */
    MARK = 4,     /* the place of the mark in the header */
    UNWIND = 32,  /* bytes of the unwinder's part, at the end of the header */
    PRIMARY = 80, /* in a dependent exception: from its first field to the unwinder's part */
    SHARED = 0x5eed,
};

/* "GNUCC++" and a byte: 0, or 1 for a dependent exception, which stands for another one that was
 * thrown again. */
static const uint64_t CXX_EXCEPTION = 0x474e5543432b2b00, CXX_DEPENDENT = 0x474e5543432b2b01;

static uint32_t *references(char *object) {
    return (uint32_t *)(object - HEADER);
}

static uint32_t *mark(char *object) {
    return (uint32_t *)(object - HEADER + MARK);
}

/* The operation before a reference is given up. The library gives it up itself, in the same
 * step. */
static void give_up(char *object, uint64_t pc) {
    change(references(object), MODIFY_SUB, 1, ORDER_ACQ_REL, pc);
    (*references(object))++;
}

/* std::__exception_ptr::exception_ptr, which is a pointer. This function makes all copies. */
EXPORT void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(char **pointer) {
    if (*pointer == NULL)
        return;
    *mark(*pointer) = SHARED;
    __atomic_add_fetch(references(*pointer), 1, __ATOMIC_ACQ_REL);
}

EXPORT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(char **pointer) {
    typedef void release_function(char **pointer);
    static release_function *release;
    if (release == NULL)
        release = (release_function *)dlsym(RTLD_NEXT,
                                            "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
    if (rt.current != NULL && *pointer != NULL && *mark(*pointer) == SHARED)
        give_up(*pointer, CALLER);
    release(pointer);
}

/* The last handler of the exception ends. */
EXPORT void _Unwind_DeleteException(struct _Unwind_Exception *exception) {
    char *object = NULL;
    if (exception->exception_class == CXX_EXCEPTION)
        object = (char *)exception + UNWIND;
    else if (exception->exception_class == CXX_DEPENDENT)
        object = *(char **)((char *)exception - PRIMARY);
    if (rt.current != NULL && object != NULL && *mark(object) == SHARED)
        give_up(object, CALLER);
    if (exception->exception_cleanup != NULL)
        exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

/* --- futures that become ready at the end of a thread
 * ------------------------------------------- */

/* The part of a std::shared_ptr that counts. Its virtual functions are two destructors, dispose
 * and destroy. */
struct shared_count {
    void (**functions)(struct shared_count *self);
    uint32_t uses, weak_uses;
};

enum { DISPOSE = 2, DESTROY = 3 };

/* The part of a future's state that matters here. */
struct future_state {
    void *functions, *result;
    uint32_t status; /* READY; and WAITED_FOR if a task sleeps on it */
};

enum { READY = 1 };
static const uint32_t WAITED_FOR = 0x80000000;

/* std::__future_base::_State_baseV2::_Make_ready: an entry of the list of what to do at the end
 * of a thread. */
struct make_ready {
    struct make_ready *next;
    void (*callback)(void *self);
    struct future_state *state; /* a std::weak_ptr */
    struct shared_count *count;
};

/* The library's function that ours replaces, as the place in reports. */
static void (*library_callback)(void *self);

static void drop_weak(struct shared_count *count, uint64_t pc) {
    if (change(&count->weak_uses, MODIFY_SUB, 1, ORDER_ACQ_REL, pc) == 1)
        count->functions[DESTROY](count);
}

static void drop(struct shared_count *count, uint64_t pc) {
    if (change(&count->uses, MODIFY_SUB, 1, ORDER_ACQ_REL, pc) != 1)
        return;
    count->functions[DISPOSE](count);
    drop_weak(count, pc);
}

static void publish(uint32_t *status, uint64_t pc) {
    const long wake_all[] = {(long)status, FUTEX_WAKE, INT_MAX, 0, 0, 0};
    if (change(status, MODIFY_EXCHANGE, READY, ORDER_RELEASE, pc) & WAITED_FOR)
        futex_call(rt.current, wake_all, pc);
}

static void set_ready(void *entry) {
    struct make_ready *self = entry;
    uint64_t pc = (uint64_t)library_callback;
    if (change(&self->count->uses, MODIFY_ADD, 1, ORDER_ACQ_REL, pc) > 0) { /* weak_ptr::lock */
        publish(&self->state->status, pc);
        drop(self->count, pc);
    }
    drop_weak(self->count, pc);
    free(self);
}

/* _Make_ready::_M_set: puts the entry on the list. */
EXPORT void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(struct make_ready *self) {
    typedef void set_function(struct make_ready * self);
    static set_function *set;
    if (set == NULL)
        set = (set_function *)dlsym(RTLD_NEXT,
                                    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
    set(self);
    if (rt.current == NULL || self->count == NULL)
        return;
    library_callback = self->callback;
    self->callback = set_ready;
}
