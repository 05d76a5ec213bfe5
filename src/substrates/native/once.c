/* once.c - pthread_once: entering (blocked while another task is inside), the routine, leaving.
 *
 * An exception or a cancellation out of the routine leaves it not done, so the next caller runs it
 * again: std::call_once counts on that. This file is compiled with -fexceptions for it. The value 2
 * is the C library's for "done", from before main. Not seen: leaving the routine by longjmp. */
#define _GNU_SOURCE
#include <pthread.h>

#include "substrates/native/locks.h"
#include "substrates/native/real.h"
#include "substrates/native/runtime.h"

enum { ONCE_NEW, ONCE_DONE = 2 }; /* object->kind */

/* A call that runs the routine. */
struct inside {
    struct task *task;
    struct object *object;
    uint64_t pc;
    uint32_t state; /* what it becomes */
};

static struct object *once_object(struct task *task, int *once, uint64_t pc) {
    uint32_t state = (uint32_t)*once;
    bool fresh;
    struct object *object = object_at(task, once, OBJECT_ONCE, pc, &fresh);
    if (fresh)
        object->kind = state == ONCE_DONE ? ONCE_DONE : ONCE_NEW;
    return object;
}

static bool ready(const struct task *task) {
    return task->object->owner == NO_TASK;
}

static uint32_t holder(const struct task *task) {
    return task->object->owner;
}

const struct wait_ops once_wait = {.ready = ready, .holder = holder};

/* True: the task is inside now, and has to run the routine. */
static bool enter(struct task *task, struct object *object, uint64_t pc) {
    struct op op = {.kind = OP_ONCE_ENTER, .object = object->address, .pc = pc};
    struct event *event = perform(task, &op, &once_wait, object);
    bool first = object->kind != ONCE_DONE;
    if (first) {
        object->owner = task->id;
        task->effects++;
    }
    event->result = first;
    happened(event);
    return first;
}

static void leave(const struct inside *inside) {
    struct object *object = inside->object;
    struct op op = {.kind = OP_ONCE_LEAVE, .object = object->address, .pc = inside->pc};
    struct event *event = perform(inside->task, &op, NULL, object);
    object->owner = NO_TASK;
    object->kind = inside->state;
    inside->task->effects++;
    event->result = inside->state;
    happened(event);
}

void once_run(struct task *task, int *once, void (*routine)(void), uint64_t pc) {
    struct object *object = once_object(task, once, pc);
    if (!enter(task, object, pc))
        return;
    struct inside inside __attribute__((cleanup(leave))) = {task, object, pc, ONCE_NEW};
    routine();
    inside.state = ONCE_DONE;
}

EXPORT int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_once(once, routine);
    once_run(task, once, routine, CALLER);
    return 0;
}
