/* thread_data.c - data of one thread with a destructor: pthread keys, and C++ thread-locals.
 *
 * The program's keys are ours, numbered from KEY_FIRST, and their values stand beside the task.
 * Keys from before main belong to the C library and stay there (the values follow the FS base).
 * The C library's threads never end, so the destructors of those keys are remembered here.
 * Making and deleting a key is an operation on one object that stands for all keys. The values
 * concern only their own thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/thread_end.h"

enum { KEY_FIRST = 1 << 16, KEYS_MAX = PTHREAD_KEYS_MAX, ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };

typedef void destructor(void *);

struct key {
    bool used;
    destructor *destructor;
};

/* The keys of one execution. */
struct keys {
    uint32_t count; /* no key at or above this was ever made */
    struct key at[KEYS_MAX];
};

static struct scratch_root keys_root; /* a struct keys */
static struct key early[KEYS_MAX];    /* of the C library, by number */
static uint32_t early_count;
static const char keys_object; /* its address stands for all keys */

/* --- making and deleting -------------------------------------------------------------------- */

static struct event *key_operation(struct task *task, uint64_t pc) {
    struct op op = {.kind = OP_KEY, .object = (uint64_t)&keys_object, .pc = pc};
    return perform(task, &op, NULL, NULL);
}

static int finish_operation(struct task *task, struct event *event, int error) {
    task->effects++;
    event->error = (uint64_t)error;
    if (error != 0)
        event->flags |= EVENT_FAILED;
    happened(event);
    return error;
}

static int create_early(pthread_key_t *key, destructor *function) {
    int error = real.pthread_key_create(key, function);
    if (error == 0 && *key < KEYS_MAX) {
        early[*key] = (struct key){true, function};
        if (*key >= early_count)
            early_count = *key + 1;
    }
    return error;
}

EXPORT int pthread_key_create(pthread_key_t *key, destructor *function) {
    struct task *task = rt.current;
    if (task == NULL)
        return create_early(key, function);
    struct event *event = key_operation(task, CALLER);
    struct keys *keys = scratch_at(&keys_root, sizeof *keys);
    uint32_t at = 0;
    while (at < KEYS_MAX && keys->at[at].used)
        at++;
    if (at == KEYS_MAX)
        return finish_operation(task, event, EAGAIN);
    keys->at[at] = (struct key){true, function};
    if (at >= keys->count)
        keys->count = at + 1;
    *key = KEY_FIRST + at;
    return finish_operation(task, event, 0);
}

static struct key *own_key(pthread_key_t key) {
    struct keys *keys = keys_root.at;
    uint32_t at = key - KEY_FIRST;
    return keys != NULL && at < keys->count && keys->at[at].used ? &keys->at[at] : NULL;
}

/* The number may be given to a new key, which must begin with NULL in every thread. */
static void forget_values(uint32_t at) {
    for (uint32_t id = 0; id < rt.session->result.tasks.count; id++)
        if (task_at(id)->end.key_values != NULL)
            task_at(id)->end.key_values[at] = NULL;
}

EXPORT int pthread_key_delete(pthread_key_t key) {
    struct task *task = rt.current;
    if (task == NULL || key < KEY_FIRST) {
        if (key < KEYS_MAX)
            early[key].used = false;
        return real.pthread_key_delete(key);
    }
    struct event *event = key_operation(task, CALLER);
    if (own_key(key) == NULL)
        return finish_operation(task, event, EINVAL);
    own_key(key)->used = false;
    forget_values(key - KEY_FIRST);
    return finish_operation(task, event, 0);
}

/* --- values --------------------------------------------------------------------------------- */

EXPORT void *pthread_getspecific(pthread_key_t key) {
    struct task *task = rt.current;
    if (task == NULL || key < KEY_FIRST)
        return real.pthread_getspecific(key);
    return own_key(key) != NULL && task->end.key_values != NULL
               ? task->end.key_values[key - KEY_FIRST]
               : NULL;
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value) {
    struct task *task = rt.current;
    if (task == NULL || key < KEY_FIRST)
        return real.pthread_setspecific(key, value);
    if (own_key(key) == NULL)
        return EINVAL;
    if (task->end.key_values == NULL)
        task->end.key_values = scratch_alloc(KEYS_MAX * sizeof *task->end.key_values);
    task->end.key_values[key - KEY_FIRST] = (void *)value;
    task->effects++;
    return 0;
}

/* --- at the end of the thread --------------------------------------------------------------- */

/* A destructor may set values again, so all keys are visited again, up to ROUNDS times. */
static bool destroy_own(struct task *task) {
    const struct keys *keys = keys_root.at;
    bool any = false;
    for (uint32_t at = 0; task->end.key_values != NULL && at < keys->count; at++) {
        void *value = task->end.key_values[at];
        task->end.key_values[at] = NULL;
        if (value == NULL || !keys->at[at].used || keys->at[at].destructor == NULL)
            continue;
        any = true;
        keys->at[at].destructor(value);
    }
    return any;
}

static bool destroy_early(void) {
    bool any = false;
    for (uint32_t key = 0; key < early_count; key++) {
        if (!early[key].used || early[key].destructor == NULL)
            continue;
        void *value = real.pthread_getspecific(key);
        if (value == NULL)
            continue;
        any = true;
        real.pthread_setspecific(key, NULL);
        early[key].destructor(value);
    }
    return any;
}

void thread_key_destructors(struct task *task) {
    bool any = true;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = destroy_early();
        any |= destroy_own(task);
    }
}

/* --- C++ thread-locals ---------------------------------------------------------------------- */

/* The keys that exist. */
void keys_fingerprint(struct fingerprint *out) {
    const struct keys *keys = keys_root.at;
    for (uint32_t at = 0; keys != NULL && at < keys->count; at++) {
        fingerprint_add_number(out, keys->at[at].used);
        fingerprint_add_number(out, (uint64_t)keys->at[at].destructor);
    }
}

struct tls_object {
    struct tls_object *next;
    destructor *destructor;
    void *object;
};

/* The values that the task has stored, and the destructors that run at its end. */
void thread_data_fingerprint(const struct task *task, struct fingerprint *out) {
    const struct keys *keys = keys_root.at;
    if (task->end.key_values != NULL && keys != NULL)
        fingerprint_add(out, task->end.key_values, keys->count * sizeof *task->end.key_values);
    const struct tls_object *entry = task->end.tls_destructors;
    for (; entry != NULL; entry = entry->next) {
        fingerprint_add_number(out, (uint64_t)entry->destructor);
        fingerprint_add_number(out, (uint64_t)entry->object);
    }
}

void tls_destructor_add(struct task *task, destructor *function, void *object) {
    struct tls_object *entry = scratch_alloc(sizeof *entry);
    *entry = (struct tls_object){task->end.tls_destructors, function, object};
    task->end.tls_destructors = entry;
}

EXPORT int __cxa_thread_atexit_impl(destructor *function, void *object, void *module) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_thread_local(function, object)
                   ? 0
                   : real.__cxa_thread_atexit_impl(function, object, module);
    tls_destructor_add(task, function, object);
    return 0;
}

/* The last object constructed is destroyed first. A destructor may construct more objects. */
void thread_local_destructors(struct task *task) {
    while (task->end.tls_destructors != NULL) {
        struct tls_object *entry = task->end.tls_destructors;
        task->end.tls_destructors = entry->next;
        entry->destructor(entry->object);
    }
}
