/* stdio_lock.c - flockfile, ftrylockfile, funlockfile: a recursive mutex for each stream.
 *
 * The lock is in bytes of the FILE that the C library reserves for the future. A single stdio
 * call is no operation and needs no lock here, because calls of different tasks never overlap.
 * So a stream that one task has locked does not hold back the printf of another task. Only tasks
 * that lock the stream themselves are ordered. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

#include "execution/finding.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/outcome.h"

static struct object *stream_object(struct task *task, FILE *stream, uint64_t pc) {
    uint32_t *lock = (uint32_t *)stream->_unused2;
    bool fresh;
    if (*lock == HEAP_FILL * 0x01010101u) /* as malloc gave the memory to fopen */
        *lock = 0;
    struct object *object = object_at(task, lock, OBJECT_MUTEX, pc, &fresh);
    if (fresh)
        object->mutex.kind = PTHREAD_MUTEX_RECURSIVE;
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
