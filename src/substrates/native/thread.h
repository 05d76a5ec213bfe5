/* thread.h - threads as pthread_create and thrd_create start them. `pc` is the program's call. */
#ifndef NATIVE_THREAD_H
#define NATIVE_THREAD_H

#include <time.h>

#include "substrates/native/runtime.h"

/* One of the two entries; the other is NULL. */
struct task *thread_start(struct task *parent, void *(*entry)(void *), int (*entry_c11)(void *),
                          void *argument, uint64_t pc);

struct join_call {
    clockid_t clock;
    const struct timespec *deadline; /* borrowed; NULL: none */
    uint64_t pc;
};
/* 0 with *joined, or an error. */
int thread_join(struct task *task, uint64_t thread, const struct join_call *call,
                struct task **joined);

/* A thread that some call is about. It may be named until it was joined, or, if detached, until it ends: else that
 * is a finding. */
struct task *thread_named(struct task *task, uint64_t thread, const char *call, uint64_t pc);
void thread_detach(struct task *task, uint64_t thread, uint64_t pc);

#endif
