/* map.c - mmap and its like.
 *
 * Anonymous memory comes from the task's heap. So its address does not depend on the schedule,
 * it is put back between executions, and use after munmap is found. Protection is not enforced
 * there. Shared memory is served as well, since there is no second process. Maps of files,
 * executable maps and maps at fixed places are the kernel's, which the ledger says. Our own code
 * must use memory_map instead while a task is running. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <errno.h>
#include <string.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/tasks/outcome.h"

#define OUTSIDE "maps of files and at fixed places are not put back between executions"
#define SERVED_MAX ((size_t)1 << 30)

static size_t whole_pages(size_t size) {
    return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static bool served(size_t size, int protection, int flags) {
    return (flags & MAP_ANONYMOUS) && !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) &&
           !(protection & PROT_EXEC) && size > 0 && size <= SERVED_MAX;
}

static void *serve(size_t size, uint64_t pc) {
    void *memory = heap_pages(whole_pages(size), pc);
    return memory != NULL ? memory : MAP_FAILED;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
    if (rt.current == NULL)
        return libc.mmap(at, size, protection, flags, descriptor, offset);
    if (served(size, protection, flags))
        return serve(size, CALLER);
    uncontrolled("mmap", OUTSIDE, CALLER);
    return libc.mmap(at, size, protection, flags, descriptor, offset);
}

/* Unmapping a part does nothing, because blocks of the heap are given back as a whole. */
EXPORT int munmap(void *at, size_t size) {
    if (rt.current == NULL || !in_heap((uint64_t)at))
        return libc.munmap(at, size);
    heap_pages_free(at, whole_pages(size), CALLER);
    return 0;
}

EXPORT int mprotect(void *at, size_t size, int protection) {
    if (rt.current == NULL)
        return libc.mprotect(at, size, protection);
    if (in_heap((uint64_t)at)) {
        noted("mprotect", "is not enforced on anonymous memory", CALLER);
        return 0;
    }
    uncontrolled("mprotect", OUTSIDE, CALLER);
    return libc.mprotect(at, size, protection);
}

EXPORT void *mremap(void *at, size_t before, size_t size, int flags, ...) {
    va_list list;
    va_start(list, flags);
    void *to = va_arg(list, void *);
    va_end(list);
    if (rt.current == NULL || !in_heap((uint64_t)at))
        return libc.mremap(at, before, size, flags, to);
    if ((flags & ~MREMAP_MAYMOVE) || (whole_pages(size) > whole_pages(before) && !flags)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    if (whole_pages(size) <= whole_pages(before))
        return at;
    void *moved = serve(size, CALLER);
    if (moved != MAP_FAILED) {
        memcpy(moved, at, before);
        heap_pages_free(at, whole_pages(before), CALLER);
    }
    return moved;
}

EXPORT extern __typeof__(mmap64) mmap64 __attribute__((alias("mmap")));
