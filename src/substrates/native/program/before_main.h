/* before_main.h - what constructors leave to main: locks that they hold, and the state of the
 * first thread.
 *
 * Constructors run natively and once, before there are tasks. Every execution begins with the
 * memory that they leave, but not with the state that we keep beside the memory. So the
 * interposed functions report here what constructors do, and the first task of each execution
 * gets it. */
#ifndef NATIVE_BEFORE_MAIN_H
#define NATIVE_BEFORE_MAIN_H

#include <stdint.h>

#include "substrates/native/program/control.h"

struct task;

enum early_lock { EARLY_MUTEX, EARLY_READ_LOCK, EARLY_WRITE_LOCK, EARLY_SPIN_LOCK, EARLY_STREAM };

/* A constructor runs, in a program that will come under control. Inline, because many calls ask. */
static inline bool before_main(void) {
    return control.expected && !control.taken;
}

/* The real function has locked the lock, or tried to, with this result. Returns the result. */
int early_locked(int error, void *lock, enum early_lock how, uint64_t pc);
/* The same for unlocking. */
int early_unlocked(int error, void *lock);

void early_cancel_state(bool disabled);
void early_cancel_type(bool asynchronous);
/* A thread-local object of the first thread has a destructor. Returns false if there is no more
 * room. */
bool early_thread_local(void (*destructor)(void *), void *object);

/* Gives the first task the state in which constructors left the first thread, without its locks. */
void early_state_to(struct task *task);
/* On the fiber of the task, before main: takes the locks, each by an operation. So every part of
 * the search knows why the locks are held. */
void early_locks_to(struct task *task);

/* --- how each kind is taken --- */

void rwlock_take(struct task *task, void *lock, bool write, uint64_t pc); /* rwlock.c */
void spin_lock_take(struct task *task, void *lock, uint64_t pc);          /* spinlock.c */
void stream_take(struct task *task, void *stream, uint64_t pc);           /* stdio_lock.c */
void tls_destructor_add(struct task *task, void (*destructor)(void *),
                        void *object); /* thread_data.c */

#endif
