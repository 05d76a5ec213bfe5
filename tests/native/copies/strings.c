/* strings.c - functions of the C library and system calls that read or write memory for the
 * program. Each way touches a known number of bytes of a string of 9 characters. */
#define _GNU_SOURCE
#include "copies.h"

#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile long sink;
static volatile int zero; /* volatile, so that the compiler does not know the value */

#define WAYS(X) \
    X(strlen, 10, 1, 0, sink = (long)strlen(from)) \
    X(strnlen, 4, 1, 0, sink = (long)strnlen(from, 4)) \
    X(strchr, 9, 1, 0, sink = (long)strchr(from, 'i')) \
    X(strrchr, 10, 1, 0, sink = (long)strrchr(from, 'a')) \
    X(strstr, 10, 1, 0, sink = (long)strstr(from, "hi")) \
    X(strcmp, 10, 1, 0, sink = strcmp(from, same)) \
    X(strncmp, 5, 1, 0, sink = strncmp(from, same, 5)) \
    X(strcasecmp, 10, 1, 0, sink = strcasecmp(from, "ABCDEFGHI")) \
    X(strncasecmp, 5, 1, 0, sink = strncasecmp(from, "ABCDEFGHI", 5)) \
    X(strcasestr, 10, 1, 0, sink = (long)strcasestr(from, "HI")) \
    X(strspn, 5, 1, 0, sink = (long)strspn(from, "dcba")) \
    X(strcspn, 5, 1, 0, sink = (long)strcspn(from, "fe")) \
    X(strpbrk, 5, 1, 0, sink = (long)strpbrk(from, "fe")) \
    X(strchrnul, 9, 1, 0, sink = (long)strchrnul(from, 'i')) \
    X(rawmemchr, 10, 1, 0, sink = (long)rawmemchr(from, zero)) \
    X(memmem, 9, 1, 0, sink = (long)memmem(from, 9, "hi", 2)) \
    X(memcmp, 7, 1, 0, sink = memcmp(from, same, 7)) \
    X(bcmp, 7, 1, 0, sink = bcmp(from, same, 7)) \
    X(memchr, 9, 1, 0, sink = (long)memchr(from, 'i', 100)) \
    X(memrchr, 20, 1, 0, sink = (long)memrchr(from, 'i', 20)) \
    X(strdup, 10, 1, 0, sink = (long)strdup(from)) \
    X(strndup, 5, 1, 0, sink = (long)strndup(from, 5)) \
    X(strcpy, 10, 1, 1, strcpy(to, from)) \
    X(stpcpy, 10, 1, 1, stpcpy(to, from)) \
    X(strncpy, 6, 1, 1, strncpy(to, from, 6)) \
    X(stpncpy, 6, 1, 1, stpncpy(to, from, 6)) \
    X(strcat, 10, 1, 0, strcat(to, from)) \
    X(strncat, 4, 1, 0, strncat(to, from, 4)) \
    X(memccpy, 9, 1, 1, memccpy(to, from, 'i', 20)) \
    X(mempcpy, 11, 1, 1, mempcpy(to, from, 11)) \
    X(bcopy, 11, 1, 1, bcopy(from, to, 11)) \
    X(bzero, 11, 0, 1, bzero(to, 11)) \
    X(explicit_bzero, 11, 0, 1, explicit_bzero(to, 11)) \
    X(write, 9, 1, 0, sink = write(1, from, 9)) \
    X(pwrite, 9, 1, 0, sink = pwrite(1, from, 9, 0)) \
    X(writev, 9, 1, 0, sink = writev(1, &(struct iovec){from, 9}, 1)) \
    X(pwritev, 9, 1, 0, sink = pwritev(1, &(struct iovec){from, 9}, 1, 0)) \
    X(send, 9, 1, 0, sink = send(1, from, 9, 0)) \
    X(sendto, 9, 1, 0, sink = sendto(1, from, 9, 0, NULL, 0)) \
    X(sendmsg, 9, 1, 0, \
      sink = \
          sendmsg(1, &(struct msghdr){.msg_iov = &(struct iovec){from, 9}, .msg_iovlen = 1}, 0)) \
    X(fwrite, 9, 1, 0, sink = (long)fwrite(from, 3, 3, stdout)) \
    X(fputs, 10, 1, 0, sink = fputs(from, stdout)) \
    X(puts, 10, 1, 0, sink = puts(from))

static const char same[] = "abcdefghi";

#define FORM(name, size, reads, writes, body) \
    static __attribute__((noinline)) void way_##name(char *to, char *from) { \
        (void)to, (void)from; \
        body; \
    }
WAYS(FORM)

static const struct way ways[] = {
#define ROW(name, size, reads, writes, body) {#name, size, way_##name, reads, writes},
    WAYS(ROW)};

int main(int argc, char **argv) {
    contents = same;
    return copies_main(ways, sizeof ways / sizeof ways[0], argc, argv);
}
