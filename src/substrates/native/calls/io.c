/* io.c - reading, writing, opening.
 *
 * The calls go to the kernel as they are, with three precautions. A call that would wait there
 * stops the search, since no other task could move meanwhile. The kernel cannot write to a page
 * that is saved lazily, so the buffer is touched first (memory.c); an overflow or a race of the
 * buffer is seen then, too. Data that comes from outside, or goes there, is in the ledger.
 * Standard output goes nowhere during a search, and standard input is empty. */
#define _GNU_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* otherwise <stdio.h> would define some of these itself */
#endif
#include <stdarg.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/thread_end.h"

/* --- descriptors ---------------------------------------------------------------------------- */

/* Whether the file was opened only for reading. Then reading changes only the position, which is
 * gone when the file is closed. */
static bool is_only_read(int descriptor) {
    struct stat status;
    long flags = native_syscall(SYS_fcntl, descriptor, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY &&
           native_syscall(SYS_fstat, descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static void before_reading(struct task *task, const char *call, int descriptor, int flags,
                           uint64_t pc) {
    cancel_point(task, pc);
    if (!(flags & MSG_DONTWAIT) && would_block(descriptor, POLLIN))
        unsupported(call, pc, "would wait for input: pipes and sockets are not controlled yet");
    if (is_only_read(descriptor))
        noted(call, "the data that it reads comes from outside", pc);
    else if (descriptor != STDIN_FILENO)
        uncontrolled(call, "the data that it reads comes from outside", pc);
    task->effects++;
}

static void before_writing(struct task *task, const char *call, int descriptor, int flags,
                           uint64_t pc) {
    cancel_point(task, pc);
    if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO)
        return;
    if (!(flags & MSG_DONTWAIT) && would_block(descriptor, POLLOUT))
        unsupported(call, pc, "would wait for room: pipes and sockets are not controlled yet");
    uncontrolled(call, "the data that it writes is not taken back between executions", pc);
}

static void drains_vector(const struct iovec *vector, int count, uint64_t pc) {
    drained(vector, count > 0 ? (size_t)count * sizeof *vector : 0, pc);
    for (int i = 0; i < count; i++)
        drained(vector[i].iov_base, vector[i].iov_len, pc);
}

static void drains_message(const struct msghdr *message, uint64_t pc) {
    drained(message, sizeof *message, pc);
    drained(message->msg_name, message->msg_namelen, pc);
    drains_vector(message->msg_iov, (int)message->msg_iovlen, pc);
    drained(message->msg_control, message->msg_controllen, pc);
}

static void fills_vector(const struct iovec *vector, int count, uint64_t pc) {
    for (int i = 0; i < count; i++)
        filled(vector[i].iov_base, vector[i].iov_len, pc);
}

#define READS(type, function, parameters, arguments, descriptor, flags, fills) \
    EXPORT type function parameters { \
        if (rt.current != NULL) { \
            before_reading(rt.current, #function, descriptor, flags, CALLER); \
            fills; \
        } \
        return libc.function arguments; \
    }
#define WRITES(type, function, parameters, arguments, descriptor, flags, drains) \
    EXPORT type function parameters { \
        if (rt.current != NULL) { \
            before_writing(rt.current, #function, descriptor, flags, CALLER); \
            drains; \
        } \
        return libc.function arguments; \
    }

READS(ssize_t, read, (int from, void *to, size_t size), (from, to, size), from, 0,
      filled(to, size, CALLER))
READS(ssize_t, pread, (int from, void *to, size_t size, off_t at), (from, to, size, at), from, 0,
      filled(to, size, CALLER))
READS(ssize_t, readv, (int from, const struct iovec *to, int count), (from, to, count), from, 0,
      fills_vector(to, count, CALLER))
READS(ssize_t, preadv, (int from, const struct iovec *to, int count, off_t at),
      (from, to, count, at), from, 0, fills_vector(to, count, CALLER))
READS(ssize_t, recv, (int from, void *to, size_t size, int flags), (from, to, size, flags), from,
      flags, filled(to, size, CALLER))
READS(ssize_t, recvfrom,
      (int from, void *restrict to, size_t size, int flags, __SOCKADDR_ARG peer,
       socklen_t *restrict peer_size),
      (from, to, size, flags, peer, peer_size), from, flags, filled(to, size, CALLER))
READS(ssize_t, recvmsg, (int from, struct msghdr *message, int flags), (from, message, flags), from,
      flags, fills_vector(message->msg_iov, (int)message->msg_iovlen, CALLER))

WRITES(ssize_t, write, (int to, const void *from, size_t size), (to, from, size), to, 0,
       drained(from, size, CALLER))
WRITES(ssize_t, pwrite, (int to, const void *from, size_t size, off_t at), (to, from, size, at), to,
       0, drained(from, size, CALLER))
WRITES(ssize_t, writev, (int to, const struct iovec *from, int count), (to, from, count), to, 0,
       drains_vector(from, count, CALLER))
WRITES(ssize_t, pwritev, (int to, const struct iovec *from, int count, off_t at),
       (to, from, count, at), to, 0, drains_vector(from, count, CALLER))
WRITES(ssize_t, send, (int to, const void *from, size_t size, int flags), (to, from, size, flags),
       to, flags, drained(from, size, CALLER))
WRITES(ssize_t, sendto,
       (int to, const void *from, size_t size, int flags, __CONST_SOCKADDR_ARG peer,
        socklen_t peer_size),
       (to, from, size, flags, peer, peer_size), to, flags, drained(from, size, CALLER))
WRITES(ssize_t, sendmsg, (int to, const struct msghdr *message, int flags), (to, message, flags),
       to, flags, drains_message(message, CALLER))

/* --- streams -------------------------------------------------------------------------------- */

/* Data that is already in the stream's buffer needs no kernel. */
static void before_stream(struct task *task, const char *call, FILE *stream, uint64_t pc) {
    int descriptor = fileno_unlocked(stream);
    if (stream->_IO_read_ptr < stream->_IO_read_end || descriptor < 0)
        return;
    memory_touch(stream->_IO_buf_base, (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
    before_reading(task, call, descriptor, 0, pc);
}

#define READS_STREAM(type, function, parameters, arguments, fills) \
    EXPORT type function parameters { \
        if (rt.current != NULL) { \
            before_stream(rt.current, #function, stream, CALLER); \
            fills; \
        } \
        return libc.function arguments; \
    }

READS_STREAM(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict stream),
             (to, size, count, stream), filled(to, size *count, CALLER))
READS_STREAM(char *, fgets, (char *restrict to, int size, FILE *restrict stream),
             (to, size, stream), filled(to, size > 0 ? (size_t)size : 0, CALLER))
READS_STREAM(int, fgetc, (FILE * stream), (stream), )
READS_STREAM(int, getc, (FILE * stream), (stream), )
READS_STREAM(ssize_t, getdelim,
             (char **restrict line, size_t *restrict size, int end, FILE *restrict stream),
             (line, size, end, stream), )
READS_STREAM(ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict stream),
             (line, size, stream), )

/* Writing to a stream needs no precaution, except that the analyses see the data. */
#define WRITES_STREAM(type, function, parameters, arguments, drains) \
    EXPORT type function parameters { \
        if (rt.current != NULL) \
            drains; \
        return libc.function arguments; \
    }
WRITES_STREAM(size_t, fwrite,
              (const void *restrict from, size_t size, size_t count, FILE *restrict stream),
              (from, size, count, stream), drained(from, size *count, CALLER))
WRITES_STREAM(int, fputs, (const char *restrict from, FILE *restrict stream), (from, stream),
              drained(from, strlen(from) + 1, CALLER))
WRITES_STREAM(int, puts, (const char *from), (from), drained(from, strlen(from) + 1, CALLER))

/* --- opening -------------------------------------------------------------------------------- */

static void opens(const char *call, bool changes, uint64_t pc) {
    if (rt.current != NULL && changes)
        uncontrolled(call, FILES, pc);
    else if (rt.current != NULL)
        noted(call, FILES, pc);
}

static bool may_change(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

EXPORT int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    opens("open", may_change(flags), CALLER);
    return opened(libc.open(path, flags, mode));
}

EXPORT int openat(int folder, const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    opens("openat", may_change(flags), CALLER);
    return opened(libc.openat(folder, path, flags, mode));
}

static FILE *opened_stream(FILE *stream) {
    if (stream != NULL)
        opened(fileno_unlocked(stream));
    return stream;
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
    opens("fopen", mode[0] != 'r' || strchr(mode, '+') != NULL, CALLER);
    return opened_stream(libc.fopen(path, mode));
}

EXPORT FILE *tmpfile(void) {
    opens("tmpfile", true, CALLER);
    return opened_stream(libc.tmpfile());
}

EXPORT DIR *opendir(const char *path) {
    opens("opendir", false, CALLER);
    DIR *folder = libc.opendir(path);
    if (folder != NULL)
        opened(dirfd(folder));
    return folder;
}

static int not_open(void) {
    errno = EBADF;
    return -1;
}

EXPORT int close(int descriptor) {
    if (descriptor_is_ours(descriptor))
        return not_open();
    replaces(descriptor);
    return libc.close(descriptor);
}

EXPORT int fclose(FILE *stream) {
    replaces(fileno_unlocked(stream));
    return libc.fclose(stream);
}

EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    opens("freopen", true, CALLER);
    replaces(fileno_unlocked(stream));
    return opened_stream(libc.freopen(path, mode, stream));
}

/* If both are the same, nothing is replaced. */
EXPORT int dup2(int from, int to) {
    if (descriptor_is_ours(from))
        return not_open();
    if (from != to)
        replaces(to);
    return opened(libc.dup2(from, to));
}

EXPORT int dup3(int from, int to, int flags) {
    if (descriptor_is_ours(from))
        return not_open();
    if (from != to)
        replaces(to);
    return opened(libc.dup3(from, to, flags));
}

static int opened_pair(int result, const int pair[2]) {
    if (result == 0) {
        opened(pair[0]);
        opened(pair[1]);
    }
    return result;
}

#define OPENS_PAIR(function, parameters, arguments) \
    EXPORT int function parameters { \
        if (rt.current != NULL) \
            filled(pair, 2 * sizeof pair[0], CALLER); \
        return opened_pair(libc.function arguments, pair); \
    }
OPENS_PAIR(pipe, (int pair[2]), (pair))
OPENS_PAIR(pipe2, (int pair[2], int flags), (pair, flags))
OPENS_PAIR(socketpair, (int domain, int type, int protocol, int pair[2]),
           (domain, type, protocol, pair))

/* --- other names of the same ---------------------------------------------------------------- */

#define ALIAS(name, function) EXPORT extern __typeof__(name) name __attribute__((alias(#function)))
ssize_t __getdelim(char **, size_t *, int, FILE *);
int _IO_getc(FILE *);
ALIAS(open64, open);
ALIAS(openat64, openat);
ALIAS(fopen64, fopen);
ALIAS(freopen64, freopen);
ALIAS(tmpfile64, tmpfile);
ALIAS(pread64, pread);
ALIAS(pwrite64, pwrite);
ALIAS(preadv64, preadv);
ALIAS(pwritev64, pwritev);
ALIAS(fwrite_unlocked, fwrite);
ALIAS(fputs_unlocked, fputs);
ALIAS(fread_unlocked, fread);
ALIAS(fgets_unlocked, fgets);
ALIAS(fgetc_unlocked, fgetc);
ALIAS(__getdelim, getdelim);
ALIAS(_IO_getc, getc);
