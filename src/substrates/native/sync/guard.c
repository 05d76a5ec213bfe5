/* guard.c - the guards of C++ static variables inside functions (Itanium C++ ABI 3.3.3).
 *
 * The compiler's own code reads the first byte of the guard by an acquire load, and calls us if
 * the byte is zero. So the end of the initialisation is a release store to that byte and then,
 * for tasks that wait here, the leaving of a once object. The once object is in the second half
 * of the guard, which is not used otherwise. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "substrates/native/interpose.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"

typedef int acquire_function(uint64_t *);
typedef void leave_function(uint64_t *);

static struct object *guard_object(struct task *task, uint64_t *guard, uint64_t pc) {
    bool fresh;
    return object_at(task, (char *)guard + 4, OBJECT_ONCE, pc, &fresh);
}

static void leave(struct task *task, uint64_t *guard, bool done, uint64_t pc) {
    struct object *object = guard_object(task, guard, pc);
    struct op op = {.kind = OP_ONCE_LEAVE, .object = object->address, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    object->owner = NO_TASK;
    task->effects++;
    event->runs = done;
    happened(event);
}

static void set_done(struct task *task, uint64_t *guard, uint64_t pc) {
    struct op op = {.kind = OP_STORE,
                    .order = ORDER_RELEASE,
                    .size = 1,
                    .object = (uint64_t)guard,
                    .value = 1,
                    .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    *(volatile uint8_t *)guard = 1;
    task->effects++;
    happened(event);
}

/* Returns 1 if the caller has to initialise the variable. */
EXPORT int __cxa_guard_acquire(uint64_t *guard) {
    struct task *task = rt.current;
    if (task == NULL)
        return ((acquire_function *)dlsym(RTLD_NEXT, "__cxa_guard_acquire"))(guard);
    struct object *object = guard_object(task, guard, CALLER);
    struct op op = {.kind = OP_ONCE_ENTER, .object = object->address, .pc = CALLER};
    struct event *event = perform(task, &op, &once_wait, object);
    bool first = *(volatile uint8_t *)guard == 0;
    if (first) {
        object->owner = task->id;
        task->effects++;
    }
    event->runs = first;
    happened(event);
    return first;
}

EXPORT void __cxa_guard_release(uint64_t *guard) {
    struct task *task = rt.current;
    if (task == NULL) {
        ((leave_function *)dlsym(RTLD_NEXT, "__cxa_guard_release"))(guard);
        return;
    }
    set_done(task, guard, CALLER);
    leave(task, guard, true, CALLER);
}

/* An exception has left the initialisation. */
EXPORT void __cxa_guard_abort(uint64_t *guard) {
    struct task *task = rt.current;
    if (task == NULL)
        ((leave_function *)dlsym(RTLD_NEXT, "__cxa_guard_abort"))(guard);
    else
        leave(task, guard, false, CALLER);
}
