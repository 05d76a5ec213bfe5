/* once.c - pthread_once: entering (blocked while another task is inside), the routine, leaving.
 *
 * If an exception or a cancellation leaves the routine, the routine is not done, and the next
 * caller runs it again: std::call_once relies on that. This file is compiled with -fexceptions
 * for this case. The value 2 is the C library's for "done", from before main. Not seen: leaving
 * the routine by longjmp.
 *
 * The compiler's own libraries initialise their tables by pthread_once, at every throw and in
 * every stream. No program could notice these calls, so they are no operations. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"

enum { ONCE_NEW, ONCE_DONE = 2 }; /* object->once.state */

/* A call that runs the routine. */
struct inside {
    struct task *task;
    struct object *object;
    uint64_t pc;
    uint32_t state; /* the state of the object after the call */
};

static struct object *once_object(struct task *task, int *once, uint64_t pc) {
    uint32_t state = (uint32_t)*once;
    bool fresh;
    struct object *object = object_at(task, once, OBJECT_ONCE, pc, &fresh);
    if (fresh)
        object->once.state = state == ONCE_DONE ? ONCE_DONE : ONCE_NEW;
    return object;
}

static bool ready(const struct task *task) {
    return task->object->owner == NO_TASK;
}

static uint32_t holder(const struct task *task, uint32_t nth) {
    return nth == 0 ? task->object->owner : NO_TASK;
}

const struct wait_ops once_wait = {.ready = ready, .holder = holder};

/* Returns true if the task is inside now and has to run the routine. */
static bool enter(struct task *task, struct object *object, uint64_t pc) {
    struct op op = {.kind = OP_ONCE_ENTER, .object = object->address, .pc = pc};
    struct event *event = perform(task, &op, &once_wait, object);
    bool first = object->once.state != ONCE_DONE;
    if (first) {
        object->owner = task->id;
        task->effects++;
    }
    event->runs = first;
    happened(event);
    return first;
}

static void leave(const struct inside *inside) {
    struct object *object = inside->object;
    struct op op = {.kind = OP_ONCE_LEAVE, .object = object->address, .pc = inside->pc};
    struct event *event = perform(inside->task, &op, NULL, object);
    object->owner = NO_TASK;
    object->once.state = inside->state;
    inside->task->effects++;
    event->result = inside->state;
    happened(event);
}

void once_run(struct task *task, int *once, void (*routine)(void), uint64_t pc) {
    if (*once == ONCE_DONE) /* done before main: no task can notice */
        return;
    struct object *object = once_object(task, once, pc);
    if (!enter(task, object, pc))
        return;
    struct inside inside __attribute__((cleanup(leave))) = {task, object, pc, ONCE_NEW};
    routine();
    inside.state = ONCE_DONE;
}

/* --- calls of the compiler's own libraries --- */

enum { LIBRARIES = 4 };

static struct { uint64_t start, end; } libraries[LIBRARIES];
static uint32_t library_count;

static int find_library(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (strstr(info->dlpi_name, "/libgcc_s.so") == NULL &&
        strstr(info->dlpi_name, "/libstdc++.so") == NULL)
        return 0;
    for (int i = 0; i < info->dlpi_phnum && library_count < LIBRARIES; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        libraries[library_count].start = info->dlpi_addr + segment->p_vaddr;
        libraries[library_count].end = libraries[library_count].start + segment->p_memsz;
        library_count++;
    }
    return 0;
}

__attribute__((constructor)) static void find_libraries(void) {
    dl_iterate_phdr(find_library, NULL);
}

static bool from_library(uint64_t pc) {
    for (uint32_t i = 0; i < library_count; i++)
        if (pc >= libraries[i].start && pc < libraries[i].end)
            return true;
    return false;
}

EXPORT int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    struct task *task = rt.current;
    if (task == NULL || from_library(CALLER))
        return real.pthread_once(once, routine);
    once_run(task, once, routine, CALLER);
    return 0;
}
