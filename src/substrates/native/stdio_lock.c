/* stdio_lock.c - flockfile, ftrylockfile, funlockfile: a recursive mutex for each stream.
 *
 * The lock stands in bytes of the FILE that the C library keeps for the future. What the C library does
 * inside a single stdio call is no operation and needs no lock here: the calls of different tasks never
 * overlap. So a stream that one task has locked does not hold back another's printf; only those who lock
 * it themselves are ordered. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

#include "substrates/native/before_main.h"
#include "substrates/native/locks.h"
#include "substrates/native/real.h"
#include "substrates/native/runtime.h"

static struct object *stream_object(struct task *task, FILE *stream, uint64_t pc) {
    uint32_t *lock = (uint32_t *)stream->_unused2;
    bool fresh;
    if (*lock == HEAP_FILL * 0x01010101u) /* as malloc gave it to fopen */
        *lock = 0;
    struct object *object = object_at(task, lock, OBJECT_MUTEX, pc, &fresh);
    if (fresh)
        object->kind = PTHREAD_MUTEX_RECURSIVE;
    return object;
}

void stream_take(struct task *task, void *stream, uint64_t pc) {
    struct lock_call call = {.address = (uint64_t)stream, .pc = pc};
    mutex_lock_object(task, stream_object(task, stream, pc), &call);
}

EXPORT void flockfile(FILE *stream) {
    struct task *task = rt.current;
    struct lock_call call = {.address = (uint64_t)stream, .pc = CALLER};
    if (task != NULL) {
        mutex_lock_object(task, stream_object(task, stream, CALLER), &call);
        return;
    }
    real.flockfile(stream);
    early_locked(0, stream, EARLY_STREAM, CALLER);
}

EXPORT int ftrylockfile(FILE *stream) {
    struct task *task = rt.current;
    struct lock_call call = {.address = (uint64_t)stream, .pc = CALLER};
    if (task == NULL)
        return early_locked(real.ftrylockfile(stream), stream, EARLY_STREAM, CALLER);
    return mutex_trylock_object(task, stream_object(task, stream, CALLER), &call);
}

EXPORT void funlockfile(FILE *stream) {
    struct task *task = rt.current;
    struct lock_call call = {.address = (uint64_t)stream, .pc = CALLER};
    if (task == NULL) {
        real.funlockfile(stream);
        early_unlocked(0, stream);
        return;
    }
    struct object *object = stream_object(task, stream, CALLER);
    if (mutex_unlock_object(task, object, &call) != 0)
        found(task, FINDING_MISUSE, (uint64_t)stream, CALLER,
              "unlock of a stream that the task has not locked");
}
