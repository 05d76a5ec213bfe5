/* before_main.c - see before_main.h. */
#include "substrates/native/program/before_main.h"

#include <errno.h>

#include "substrates/native/sync/locks.h"
#include "substrates/native/tasks/task.h"

enum { LOCKS_MAX = 256, LOCALS_MAX = 64 };

struct held {
    void *lock;
    enum early_lock how;
    uint64_t pc;
};

static struct {
    /* In the order in which they were taken. A recursive lock may appear more than once. */
    struct held locks[LOCKS_MAX];
    uint32_t lock_count;
    struct {
        void (*destructor)(void *);
        void *object;
    } locals[LOCALS_MAX];
    uint32_t local_count;
    bool cancel_disabled, cancel_asynchronous;
} early;

int early_locked(int error, void *lock, enum early_lock how, uint64_t pc) {
    if (before_main() && mutex_taken(error) && early.lock_count < LOCKS_MAX)
        early.locks[early.lock_count++] = (struct held){lock, how, pc};
    return error;
}

/* Removes the last entry of the lock. A lock can be held for reading more than once, but not in
 * two ways. */
int early_unlocked(int error, void *lock) {
    if (!before_main() || error != 0)
        return error;
    uint32_t at = early.lock_count;
    while (at > 0 && early.locks[at - 1].lock != lock)
        at--;
    if (at == 0)
        return error;
    for (; at < early.lock_count; at++)
        early.locks[at - 1] = early.locks[at];
    early.lock_count--;
    return error;
}

void early_cancel_state(bool disabled) {
    if (before_main())
        early.cancel_disabled = disabled;
}

void early_cancel_type(bool asynchronous) {
    if (before_main())
        early.cancel_asynchronous = asynchronous;
}

bool early_thread_local(void (*destructor)(void *), void *object) {
    if (!before_main() || early.local_count == LOCALS_MAX)
        return false;
    early.locals[early.local_count].destructor = destructor;
    early.locals[early.local_count++].object = object;
    return true;
}

void early_state_to(struct task *task) {
    task->cancel.disabled = early.cancel_disabled;
    task->cancel.asynchronous = early.cancel_asynchronous;
    for (uint32_t i = 0; i < early.local_count; i++)
        tls_destructor_add(task, early.locals[i].destructor, early.locals[i].object);
}

/* Not inlined: the frame of its caller is at the top of every stack, and spin.c looks at the
 * whole stack. */
__attribute__((noinline)) void early_locks_to(struct task *task) {
    for (uint32_t i = 0; i < early.lock_count; i++) {
        const struct held *held = &early.locks[i];
        switch (held->how) {
        case EARLY_MUTEX: mutex_lock(task, held->lock, CLOCK_REALTIME, NULL, held->pc); break;
        case EARLY_READ_LOCK: rwlock_take(task, held->lock, false, held->pc); break;
        case EARLY_WRITE_LOCK: rwlock_take(task, held->lock, true, held->pc); break;
        case EARLY_SPIN_LOCK: spin_lock_take(task, held->lock, held->pc); break;
        case EARLY_STREAM: stream_take(task, held->lock, held->pc); break;
        }
    }
}
