/* before_main.h - what constructors leave to main: locks that they hold, and the state of the first thread.
 *
 * Constructors run natively and once, before there are tasks. What they do to memory is where every execution begins;
 * what we keep beside the memory is not. So the interposed functions say here what they did, and the first task of an
 * execution gets it. */
#ifndef NATIVE_BEFORE_MAIN_H
#define NATIVE_BEFORE_MAIN_H

#include "substrates/native/runtime.h"

enum early_lock { EARLY_MUTEX, EARLY_READ_LOCK, EARLY_WRITE_LOCK, EARLY_SPIN_LOCK, EARLY_STREAM };

/* A constructor runs, in a program that will come under control. Inline: it stands before many calls. */
static inline bool before_main(void) {
    return rt.attended && !rt.controlled;
}

/* The real function has locked it, or tried to, with this result: returns that. */
int early_locked(int error, void *lock, enum early_lock how, uint64_t pc);
/* Likewise it has unlocked it. */
int early_unlocked(int error, void *lock);

void early_cancel_state(bool disabled);
void early_cancel_type(bool asynchronous);
/* A destructor of a thread-local object of the first thread. False: there is no more room. */
bool early_thread_local(void (*destructor)(void *), void *object);

/* The first task is as the first thread was left by the constructors. Its locks are missing yet. */
void early_state_to(struct task *task);
/* On its fiber, before main: takes the locks, each by an operation. So the locks are held for a reason that
 * every part of the search knows. */
void early_locks_to(struct task *task);

/* --- how each kind is taken --- */

void rwlock_take(struct task *task, void *lock, bool write, uint64_t pc); /* rwlock.c */
void spin_lock_take(struct task *task, void *lock, uint64_t pc);          /* spinlock.c */
void stream_take(struct task *task, void *stream, uint64_t pc);           /* stdio_lock.c */
void tls_destructor_add(struct task *task, void (*destructor)(void *),
                        void *object); /* thread_data.c */

#endif
