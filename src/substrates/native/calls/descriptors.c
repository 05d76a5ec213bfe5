/* descriptors.c - every execution starts with the same descriptors.
 *
 * A descriptor that an execution opens is closed before the next one. A descriptor that it
 * closes or replaces, although it has not opened it (the standard three, inherited ones, those
 * that a constructor opened), is put back from a copy. The copies are the only descriptors that
 * we hold in the program's process. They have high numbers, so that open() gives the program 3,
 * 4, 5 as it does natively, and the program is told that they are not open. Many programs close
 * all descriptors, one by one or by close_range(): our copies stay.
 *
 * Left out: the position in an inherited file; descriptors that inline assembly opens by a
 * system call. */
#define _GNU_SOURCE
#include "substrates/native/calls/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"
#include "substrates/native/native.h"

enum {
    OPENED_MAX = 4096, /* descriptors above this are closed together */
    KEPT_MAX = 64,
    /* With at least this limit of descriptors, the copies are at the very end. */
    LIMIT_LEAST = 2 * KEPT_MAX,
};

/* --- descriptors that an execution has opened --- */

static uint64_t opened_bits[OPENED_MAX / 64];
static int opened_end; /* no descriptor at or above this is open */
static bool opened_beyond;

static bool is_opened(int descriptor) {
    return opened_bits[descriptor / 64] >> descriptor % 64 & 1;
}

static void forget(int descriptor) {
    opened_bits[descriptor / 64] &= ~((uint64_t)1 << descriptor % 64);
}

int opened(int descriptor) {
    if (rt.current == NULL || descriptor <= STDERR_FILENO)
        return descriptor;
    if (descriptor >= OPENED_MAX) {
        opened_beyond = true;
        return descriptor;
    }
    opened_bits[descriptor / 64] |= (uint64_t)1 << descriptor % 64;
    if (descriptor >= opened_end)
        opened_end = descriptor + 1;
    return descriptor;
}

/* --- descriptors that it has closed or replaced, and has not opened --- */

struct kept {
    int descriptor, copy;
    int flags;     /* FD_CLOEXEC, or 0 */
    bool replaced; /* it was replaced in this execution */
};

static struct kept kept[KEPT_MAX];
static uint32_t kept_count;
static bool any_replaced;

static struct kept *find_kept(int descriptor) {
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].descriptor == descriptor)
            return &kept[i];
    return NULL;
}

static struct kept *find_copy(int descriptor) {
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].copy == descriptor)
            return &kept[i];
    return NULL;
}

bool descriptor_is_ours(int descriptor) {
    return rt.current != NULL && find_copy(descriptor) != NULL;
}

/* A copy near the highest number that a process may have, or -1. */
static int copy_high(int descriptor) {
    struct rlimit limit = {.rlim_cur = OPENED_MAX};
    native_syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
    long end = limit.rlim_cur < OPENED_MAX ? (long)limit.rlim_cur : OPENED_MAX;
    long from = end >= LIMIT_LEAST ? end - KEPT_MAX : end / 2;
    return (int)native_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, from);
}

/* The program wants this number for itself, so our copy moves away. */
static void make_room(int descriptor) {
    struct kept *at = find_copy(descriptor);
    int copy = at != NULL ? copy_high(descriptor) : -1;
    if (copy >= 0)
        at->copy = copy;
}

static void keep(int descriptor) {
    struct kept *at = find_kept(descriptor);
    if (at == NULL && kept_count < KEPT_MAX) {
        int copy = copy_high(descriptor);
        if (copy < 0) /* it is not open */
            return;
        at = &kept[kept_count++];
        *at = (struct kept){.descriptor = descriptor,
                            .copy = copy,
                            .flags = (int)native_syscall(SYS_fcntl, descriptor, F_GETFD)};
    }
    if (at != NULL)
        at->replaced = any_replaced = true;
}

void replaces(int descriptor) {
    if (rt.current == NULL || descriptor < 0 || descriptor >= OPENED_MAX)
        return;
    make_room(descriptor);
    if (is_opened(descriptor))
        forget(descriptor);
    else
        keep(descriptor);
}

/* --- before the next execution --- */

static void put_back(void) {
    for (uint32_t i = 0; i < kept_count && any_replaced; i++) {
        if (kept[i].replaced)
            native_syscall(SYS_dup3, kept[i].copy, kept[i].descriptor,
                           kept[i].flags & FD_CLOEXEC ? O_CLOEXEC : 0);
        kept[i].replaced = false;
    }
    any_replaced = false;
}

/* Descriptors that the program has closed again are forgotten. */
bool any_opened(void) {
    for (; opened_end > 0; opened_end--) {
        if (is_opened(opened_end - 1) && native_syscall(SYS_fcntl, opened_end - 1, F_GETFD) >= 0)
            return true;
        forget(opened_end - 1);
    }
    return opened_beyond || any_replaced;
}

/* A descriptor that the program has closed by other means is closed once more, which does no
 * harm. */
void close_opened(void) {
    process_state_put_back(); /* first: a limit of the program could be in the way */
    if (opened_beyond)
        native_syscall(SYS_close_range, OPENED_MAX, ~0u, 0);
    opened_beyond = false;
    for (; opened_end > 0; opened_end--)
        if (is_opened(opened_end - 1)) {
            native_syscall(SYS_close, opened_end - 1);
            forget(opened_end - 1);
        }
    put_back();
}

/* --- closing many --- */

static void close_some(unsigned first, unsigned end) {
    for (unsigned at = first; at < end; at++)
        if (find_copy((int)at) == NULL) {
            replaces((int)at);
            native_syscall(SYS_close, at);
        }
}

static int range(unsigned first, unsigned last, int flags) {
    enum { ONLY_FLAG = 4 /* CLOSE_RANGE_CLOEXEC */ };
    long result = 0;
    if (rt.current != NULL && first <= last && !(flags & ONLY_FLAG)) {
        close_some(first, last < OPENED_MAX ? last + 1 : OPENED_MAX);
        first = first < OPENED_MAX ? OPENED_MAX : first;
        last = last < OPENED_MAX ? OPENED_MAX : last;
    }
    result = native_syscall(SYS_close_range, first, last, flags);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

EXPORT int close_range(unsigned first, unsigned last, int flags) {
    return range(first, last, flags);
}

EXPORT void closefrom(int first) {
    range(first > 0 ? (unsigned)first : 0, ~0u, 0);
}
