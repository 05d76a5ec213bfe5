/* fortified.c - the names of the same calls in code that is compiled with _FORTIFY_SOURCE.
 *
 * Each function checks the size of the buffer, as far as the compiler knew it, and goes on to
 * the call itself by a jump, so that the return address there is the program's. */
#define _GNU_SOURCE
#include <string.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"

_Noreturn void __chk_fail(void);

#define FORTIFIED(type, function, parameters, fits, call) \
    EXPORT type function parameters; \
    type function parameters { \
        if (!(fits)) \
            __chk_fail(); \
        return call; \
    }

FORTIFIED(ssize_t, __read_chk, (int from, void *to, size_t size, size_t room), size <= room,
          read(from, to, size))
FORTIFIED(ssize_t, __pread_chk, (int from, void *to, size_t size, off_t at, size_t room),
          size <= room, pread(from, to, size, at))
FORTIFIED(ssize_t, __pread64_chk, (int from, void *to, size_t size, off_t at, size_t room),
          size <= room, pread(from, to, size, at))
FORTIFIED(ssize_t, __recv_chk, (int from, void *to, size_t size, size_t room, int flags),
          size <= room, recv(from, to, size, flags))
FORTIFIED(ssize_t, __recvfrom_chk,
          (int from, void *to, size_t size, size_t room, int flags, __SOCKADDR_ARG peer,
           socklen_t *peer_size),
          size <= room, recvfrom(from, to, size, flags, peer, peer_size))
FORTIFIED(char *, __fgets_chk, (char *to, size_t room, int size, FILE *stream),
          (size_t)size <= room, fgets(to, size, stream))
FORTIFIED(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t count, FILE *stream),
          size == 0 || count <= room / size, fread(to, size, count, stream))
FORTIFIED(int, __poll_chk, (struct pollfd * polled, nfds_t count, int timeout_ms, size_t room),
          count <= room / sizeof *polled, poll(polled, count, timeout_ms))
FORTIFIED(int, __ppoll_chk,
          (struct pollfd * polled, nfds_t count, const struct timespec *timeout,
           const sigset_t *mask, size_t room),
          count <= room / sizeof *polled, ppoll(polled, count, timeout, mask))
FORTIFIED(ssize_t, __readlink_chk, (const char *path, char *to, size_t size, size_t room),
          size <= room, readlink(path, to, size))
FORTIFIED(char *, __getcwd_chk, (char *path, size_t size, size_t room), size <= room,
          getcwd(path, size))
FORTIFIED(int, __gethostname_chk, (char *name, size_t size, size_t room), size <= room,
          gethostname(name, size))
FORTIFIED(int, __open_2, (const char *path, int flags), true, open(path, flags))
FORTIFIED(int, __open64_2, (const char *path, int flags), true, open(path, flags))
FORTIFIED(int, __openat_2, (int folder, const char *path, int flags), true,
          openat(folder, path, flags))
FORTIFIED(int, __openat64_2, (int folder, const char *path, int flags), true,
          openat(folder, path, flags))

/* Copies and strings (copies.c, strings.c): the buffer must have room for what is written. */
FORTIFIED(void *, __memcpy_chk, (void *to, const void *from, size_t size, size_t room),
          size <= room, memcpy(to, from, size))
FORTIFIED(void *, __memmove_chk, (void *to, const void *from, size_t size, size_t room),
          size <= room, memmove(to, from, size))
FORTIFIED(void *, __mempcpy_chk, (void *to, const void *from, size_t size, size_t room),
          size <= room, mempcpy(to, from, size))
FORTIFIED(void *, __memset_chk, (void *to, int value, size_t size, size_t room), size <= room,
          memset(to, value, size))
FORTIFIED(char *, __strcpy_chk, (char *to, const char *from, size_t room), strlen(from) < room,
          strcpy(to, from))
FORTIFIED(char *, __stpcpy_chk, (char *to, const char *from, size_t room), strlen(from) < room,
          stpcpy(to, from))
FORTIFIED(char *, __strncpy_chk, (char *to, const char *from, size_t size, size_t room),
          size <= room, strncpy(to, from, size))
FORTIFIED(char *, __stpncpy_chk, (char *to, const char *from, size_t size, size_t room),
          size <= room, stpncpy(to, from, size))
FORTIFIED(char *, __strcat_chk, (char *to, const char *from, size_t room),
          strlen(to) + strlen(from) < room, strcat(to, from))
FORTIFIED(char *, __strncat_chk, (char *to, const char *from, size_t size, size_t room),
          strlen(to) + strnlen(from, size) < room, strncat(to, from, size))
FORTIFIED(void, __explicit_bzero_chk, (void *to, size_t size, size_t room), size <= room,
          explicit_bzero(to, size))
