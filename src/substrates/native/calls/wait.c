/* wait.c - waiting for descriptors, connections and file locks.
 *
 * Such a call is made without waiting. If there is an answer at once, the program gets it.
 * Otherwise the call would wait in the kernel, where no other task could move, and the search
 * stops with a message. Waiting for nothing but the time is sleeping. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <errno.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/calls/virtual_time.h"
#include "substrates/native/interpose.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/thread_end.h"

#define DESCRIPTORS "would wait in the kernel: descriptors are not controlled yet"
#define AT_ONCE "made without waiting: descriptors are not controlled"

static const struct timespec no_time = {0};

static uint64_t in_ns(const struct timespec *time) {
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

/* The result of the call without waiting is the answer, if there is something, or if the program
 * did not want to wait. */
static int answer(const char *call, int result, bool waits, uint64_t pc) {
    if (result == 0 && waits)
        unsupported(call, pc, DESCRIPTORS);
    uncontrolled(call, AT_ONCE, pc);
    rt.current->effects++;
    return result;
}

static int sleeps(const struct timespec *timeout, uint64_t pc) {
    sleep_for(rt.current, in_ns(timeout), pc);
    return 0;
}

/* --- poll and select ------------------------------------------------------------------------ */

EXPORT int poll(struct pollfd *polled, nfds_t count, int timeout_ms) {
    struct task *task = rt.current;
    if (task == NULL)
        return libc.poll(polled, count, timeout_ms);
    cancel_point(task, CALLER);
    if (count == 0 && timeout_ms >= 0) {
        sleep_for(task, (uint64_t)timeout_ms * 1000000, CALLER);
        return 0;
    }
    filled(polled, count * sizeof *polled, CALLER);
    return answer("poll", libc.poll(polled, count, 0), timeout_ms != 0, CALLER);
}

EXPORT int ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask) {
    struct task *task = rt.current;
    if (task == NULL)
        return libc.ppoll(polled, count, timeout, mask);
    cancel_point(task, CALLER);
    if (count == 0 && timeout != NULL)
        return sleeps(timeout, CALLER);
    filled(polled, count * sizeof *polled, CALLER);
    return answer("ppoll", libc.poll(polled, count, 0), timeout == NULL || in_ns(timeout) > 0,
                  CALLER);
}

static void fills_set(fd_set *set, uint64_t pc) {
    if (set != NULL)
        filled(set, sizeof *set, pc);
}

static int select_at_once(const char *call, int count, fd_set *in, fd_set *out, fd_set *special,
                          const struct timespec *timeout, uint64_t pc) {
    cancel_point(rt.current, pc);
    if (in == NULL && out == NULL && special == NULL && timeout != NULL)
        return sleeps(timeout, pc);
    fills_set(in, pc);
    fills_set(out, pc);
    fills_set(special, pc);
    return answer(call, libc.pselect(count, in, out, special, &no_time, NULL),
                  timeout == NULL || in_ns(timeout) > 0, pc);
}

EXPORT int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict special,
                  struct timeval *restrict timeout) {
    if (rt.current == NULL)
        return libc.select(count, in, out, special, timeout);
    struct timespec time = {0};
    if (timeout != NULL)
        time = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
    return select_at_once("select", count, in, out, special, timeout ? &time : NULL, CALLER);
}

EXPORT int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict special,
                   const struct timespec *restrict timeout, const sigset_t *restrict mask) {
    if (rt.current == NULL)
        return libc.pselect(count, in, out, special, timeout, mask);
    return select_at_once("pselect", count, in, out, special, timeout, CALLER);
}

static int epoll_at_once(const char *call, int epoll, struct epoll_event *events, int count,
                         bool waits, uint64_t pc) {
    cancel_point(rt.current, pc);
    filled(events, count > 0 ? (size_t)count * sizeof *events : 0, pc);
    return answer(call, libc.epoll_wait(epoll, events, count, 0), waits, pc);
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout_ms) {
    if (rt.current == NULL)
        return libc.epoll_wait(epoll, events, count, timeout_ms);
    return epoll_at_once("epoll_wait", epoll, events, count, timeout_ms != 0, CALLER);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout_ms,
                       const sigset_t *mask) {
    if (rt.current == NULL)
        return libc.epoll_pwait(epoll, events, count, timeout_ms, mask);
    return epoll_at_once("epoll_pwait", epoll, events, count, timeout_ms != 0, CALLER);
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int count,
                        const struct timespec *timeout, const sigset_t *mask) {
    if (rt.current == NULL)
        return libc.epoll_pwait2(epoll, events, count, timeout, mask);
    return epoll_at_once("epoll_pwait2", epoll, events, count,
                         timeout == NULL || in_ns(timeout) > 0, CALLER);
}

/* --- connections ---------------------------------------------------------------------------- */

static void before_waiting(const char *call, int descriptor, short events, uint64_t pc) {
    if (rt.current == NULL)
        return;
    cancel_point(rt.current, pc);
    if (would_block(descriptor, events))
        unsupported(call, pc, DESCRIPTORS);
    uncontrolled(call, AT_ONCE, pc);
    rt.current->effects++;
}

EXPORT int accept(int descriptor, __SOCKADDR_ARG peer, socklen_t *restrict size) {
    before_waiting("accept", descriptor, POLLIN, CALLER);
    return opened(libc.accept(descriptor, peer, size));
}

EXPORT int accept4(int descriptor, __SOCKADDR_ARG peer, socklen_t *restrict size, int flags) {
    before_waiting("accept4", descriptor, POLLIN, CALLER);
    return opened(libc.accept4(descriptor, peer, size, flags));
}

EXPORT int connect(int descriptor, __CONST_SOCKADDR_ARG peer, socklen_t size) {
    if (rt.current != NULL) {
        int flags = libc.fcntl(descriptor, F_GETFL);
        if (flags >= 0 && !(flags & O_NONBLOCK))
            unsupported("connect", CALLER, NETWORK);
        before_waiting("connect", descriptor, 0, CALLER);
    }
    return libc.connect(descriptor, peer, size);
}

/* --- file locks ----------------------------------------------------------------------------- */

/* The lock was asked for without waiting. */
static int locked(const char *call, int result, bool waits, uint64_t pc) {
    if (result != 0 && waits && (errno == EAGAIN || errno == EACCES))
        unsupported(call, pc, "would wait in the kernel: file locks are not controlled yet");
    uncontrolled(call, FILES, pc);
    rt.current->effects++;
    return result;
}

EXPORT int flock(int descriptor, int operation) {
    if (rt.current == NULL)
        return libc.flock(descriptor, operation);
    return locked("flock", libc.flock(descriptor, operation | LOCK_NB), !(operation & LOCK_NB),
                  CALLER);
}

EXPORT int lockf(int descriptor, int command, off_t size) {
    if (rt.current == NULL)
        return libc.lockf(descriptor, command, size);
    int tried = command == F_LOCK ? F_TLOCK : command;
    return locked("lockf", libc.lockf(descriptor, tried, size), command == F_LOCK, CALLER);
}

static int without_waiting(int command) {
    return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : command;
}

EXPORT int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (rt.current == NULL)
        return libc.fcntl(descriptor, command, argument);
    if (command == F_GETLK || command == F_OFD_GETLK)
        filled(argument, sizeof(struct flock), CALLER);
    int tried = without_waiting(command);
    int result = libc.fcntl(descriptor, tried, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return opened(result);
    bool locks = tried == F_SETLK || tried == F_OFD_SETLK;
    return locks ? locked("fcntl", result, tried != command, CALLER) : result;
}

EXPORT extern __typeof__(fcntl64) fcntl64 __attribute__((alias("fcntl")));
EXPORT extern __typeof__(lockf64) lockf64 __attribute__((alias("lockf")));
