/* calls.c - the rows of calls.def that need no code of their own, and the functions that they
 * share. */
#define _GNU_SOURCE
#include "substrates/native/calls/calls.h"

#include <stdarg.h>
#include <sys/syscall.h>

#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/program/crash.h"
#include "substrates/native/tasks/outcome.h"

struct libc_calls libc;

void calls_resolve(void) {
#define CALL(type, function, parameters) *(void **)&libc.function = dlsym(RTLD_NEXT, #function);
#include "substrates/native/calls/calls.def"
#undef CALL
}

/* --- shared functions --- */

bool would_block(int descriptor, short events) {
    struct pollfd poll = {.fd = descriptor, .events = events};
    passing_on = true;
    long flags = native_syscall(SYS_fcntl, descriptor, F_GETFL);
    bool waits = flags >= 0 && !(flags & O_NONBLOCK) && native_syscall(SYS_poll, &poll, 1, 0) == 0;
    passing_on = false;
    return waits;
}

enum { CHECKED = 1 << 20 }; /* the kernel will not fill all of an absurd size */

void filled(void *buffer, size_t size, uint64_t pc) {
    access_for((uint64_t)buffer, size < CHECKED ? size : CHECKED, true, pc);
    memory_touch(buffer, size);
}

void drained(const void *buffer, size_t size, uint64_t pc) {
    access_for((uint64_t)buffer, size < CHECKED ? size : CHECKED, false, pc);
}

/* --- the rows ------------------------------------------------------------------------------- */

#define CALL(type, function, parameters)
#define UNSUPPORTED(type, function, parameters, arguments, why) \
    EXPORT type function parameters { \
        if (rt.current == NULL) \
            return libc.function arguments; \
        unsupported(#function, CALLER, why); \
    }
#define LEDGER(type, function, parameters, arguments, why) \
    EXPORT type function parameters { \
        if (rt.current != NULL) \
            uncontrolled(#function, why, CALLER); \
        return libc.function arguments; \
    }
#define OPENS(type, function, parameters, arguments, why) \
    EXPORT type function parameters { \
        const char *reason = why; \
        if (rt.current != NULL && reason != NULL) \
            uncontrolled(#function, reason, CALLER); \
        return opened(libc.function arguments); \
    }
#define FILLS(type, function, parameters, arguments, buffer, size) \
    EXPORT type function parameters { \
        if (rt.current != NULL) \
            filled(buffer, size, CALLER); \
        return libc.function arguments; \
    }
#include "substrates/native/calls/calls.def"

/* --- calls with a variable number of arguments, or with more than one name --- */

/* The child of a vfork must not return through our frame. A fork does all that vfork promises. */
EXPORT pid_t vfork(void) {
    if (rt.current != NULL)
        unsupported("vfork", CALLER, PROCESSES);
    return libc.fork();
}

EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    va_list list;
    if (rt.current != NULL)
        unsupported("clone", CALLER, PROCESSES);
    va_start(list, argument);
    void *a = va_arg(list, void *), *b = va_arg(list, void *), *c = va_arg(list, void *);
    va_end(list);
    return libc.clone(function, stack, flags, argument, a, b, c);
}

EXPORT mqd_t mq_open(const char *name, int flags, ...) {
    va_list list;
    if (rt.current != NULL)
        unsupported("mq_open", CALLER, IPC);
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    struct mq_attr *attributes = va_arg(list, struct mq_attr *);
    va_end(list);
    return libc.mq_open(name, flags, mode, attributes);
}

/* execl and its like end their arguments with NULL; execle has the environment after that. */
#define EXEC_LIST(function, behind, with_environment) \
    EXPORT int function(const char *path, const char *first, ...) { \
        va_list list, again; \
        size_t count = 1; \
        if (rt.current != NULL) \
            unsupported(#function, CALLER, PROCESSES); \
        va_start(list, first); \
        va_copy(again, list); \
        while (va_arg(again, char *) != NULL) \
            count++; \
        va_end(again); \
        char *argv[count + 1]; \
        argv[0] = (char *)first; \
        for (size_t i = 1; i <= count; i++) \
            argv[i] = va_arg(list, char *); \
        char **envp = with_environment ? va_arg(list, char **) : environ; \
        va_end(list); \
        return libc.behind(path, argv, envp); \
    }
EXEC_LIST(execl, execve, false)
EXEC_LIST(execle, execve, true)
EXEC_LIST(execlp, execvpe, false)

/* Most requests fill no more than this. An argument that is no pointer does no harm. */
enum { IOCTL_FILLS = 256 };

EXPORT int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (rt.current != NULL)
        memory_touch(argument, IOCTL_FILLS);
    return libc.ioctl(descriptor, request, argument);
}

#define ALIAS(name, function) EXPORT extern __typeof__(name) name __attribute__((alias(#function)))
ALIAS(creat64, creat);
ALIAS(mkstemp64, mkstemp);
ALIAS(truncate64, truncate);
ALIAS(ftruncate64, ftruncate);
#ifndef __clang__ /* struct stat64 is struct stat, and so on */
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
ALIAS(stat64, stat);
ALIAS(lstat64, lstat);
ALIAS(fstat64, fstat);
ALIAS(fstatat64, fstatat);
ALIAS(getrlimit64, getrlimit);
ALIAS(sendfile64, sendfile);
ALIAS(aio_read64, aio_read);
ALIAS(aio_write64, aio_write);
ALIAS(aio_fsync64, aio_fsync);
ALIAS(aio_suspend64, aio_suspend);
ALIAS(lio_listio64, lio_listio);
