/* calls.h - calls to the kernel that are no operations: what they have in common.
 *
 * Each such call of the C library is a row of calls.def. A row makes a member of `libc`: the
 * function behind ours. The kind of the row says what our function does. Like all interposed
 * functions, these do the real thing while no task is running. */
#ifndef NATIVE_CALLS_H
#define NATIVE_CALLS_H

#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "substrates/native/calls/descriptors.h"

struct libc_calls {
#define CALL(type, function, parameters) type(*function) parameters;
#include "substrates/native/calls/calls.def"
#undef CALL
};

extern struct libc_calls libc;

/* Fills `libc`. */
void calls_resolve(void);

/* Returns true if reading (POLLIN) or writing (POLLOUT) would wait in the kernel. */
bool would_block(int descriptor, short events);

/* The kernel is about to write there for the program. */
void filled(void *buffer, size_t size, uint64_t pc);
/* The kernel, or the C library, is about to read there for the program. */
void drained(const void *buffer, size_t size, uint64_t pc);

/* Puts back what an execution has changed of the process, in the kernel (process_state.c). */
void process_state_put_back(void);

#endif
