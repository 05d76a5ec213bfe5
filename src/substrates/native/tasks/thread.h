/* thread.h - threads as pthread_create and thrd_create start them. `pc` is the place of the
 * program's call. */
#ifndef NATIVE_THREAD_H
#define NATIVE_THREAD_H

#include <stdint.h>
#include <time.h>

struct task;

/* Exactly one of the two entries is not NULL. */
struct task *thread_start(struct task *parent, void *(*entry)(void *), int (*entry_c11)(void *),
                          void *argument, uint64_t pc);

struct join_call {
    clockid_t clock;
    const struct timespec *deadline; /* borrowed; NULL: none */
    uint64_t pc;
};
/* Returns 0 and sets *joined, or returns an error. */
int thread_join(struct task *task, uint64_t thread, const struct join_call *call,
                struct task **joined);

/* Returns the task of the thread that the program has passed to the function `call`. The handle
 * is valid until the thread is joined or, if the thread is detached, until it ends. Any other
 * handle is reported as a finding, and the function does not return. */
struct task *thread_named(struct task *task, uint64_t thread, const char *call, uint64_t pc);
/* Before main: ends the run as unsupported if a constructor has started a thread, because such a
 * thread cannot be controlled. */
void threads_refuse_early(void);
/* Before main: tells the C library that the process has several threads, so that the C++ library
 * counts references with atomics in every execution. */
void threads_expected(void);
void thread_detach(struct task *task, uint64_t thread, uint64_t pc);

#endif
