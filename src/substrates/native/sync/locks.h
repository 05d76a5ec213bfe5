/* locks.h - what kinds of synchronisation need of each other: condition variables use mutexes;
 * <threads.h> and the locks of streams use both. `pc` is the place of the program's call. */
#ifndef NATIVE_LOCKS_H
#define NATIVE_LOCKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct object;
struct task;
struct wait_ops;

/* --- mutexes (mutex.c) --- */

extern const struct wait_ops mutex_wait; /* for an operation whose object is a mutex */

struct object *mutex_object(struct task *task, pthread_mutex_t *mutex, uint64_t pc);
bool mutex_free_for(const struct object *object, const struct task *task);
int mutex_acquire(struct task *task, struct object *object);
/* Returns 0, or ENOTRECOVERABLE if a robust mutex is lost by this. The value is for the event;
 * the program gets no error. */
int mutex_release(struct task *task, struct object *object);
bool mutex_taken(
    int error); /* by the result of mutex_acquire, lock or trylock: the task has the mutex */
bool mutex_checks_owner(const struct object *object);
bool mutex_is_robust(const struct object *object);
/* The task ends while it holds this robust mutex. */
void mutex_abandon(struct task *task, struct object *object, uint64_t pc);

int mutex_lock(struct task *task, pthread_mutex_t *mutex, clockid_t clock,
               const struct timespec *deadline, uint64_t pc); /* no deadline: NULL */
int mutex_trylock(struct task *task, pthread_mutex_t *mutex, uint64_t pc);
int mutex_unlock(struct task *task, pthread_mutex_t *mutex, uint64_t pc);
int mutex_init(struct task *task, pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes,
               uint64_t pc);
int mutex_destroy(struct task *task, pthread_mutex_t *mutex, uint64_t pc);

/* The same for a lock that is no pthread_mutex_t. */
struct lock_call {
    uint64_t address; /* the address by which the program knows the lock */
    clockid_t clock;
    const struct timespec *deadline; /* borrowed; NULL: none */
    uint64_t pc;
};
int mutex_lock_object(struct task *task, struct object *object, const struct lock_call *call);
int mutex_trylock_object(struct task *task, struct object *object, const struct lock_call *call);
int mutex_unlock_object(struct task *task, struct object *object, const struct lock_call *call);

/* --- condition variables (cond.c) --- */

int cond_init(struct task *task, pthread_cond_t *cond, const pthread_condattr_t *attributes,
              uint64_t pc);
int cond_destroy(struct task *task, pthread_cond_t *cond, uint64_t pc);
int cond_wait(struct task *task, pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
              const struct timespec *deadline, uint64_t pc); /* no deadline: NULL */
int cond_signal(struct task *task, pthread_cond_t *cond, uint64_t pc);
int cond_broadcast(struct task *task, pthread_cond_t *cond, uint64_t pc);

/* --- once (once.c) --- */

extern const struct wait_ops once_wait;
void once_run(struct task *task, int *once, void (*routine)(void), uint64_t pc);

#endif
