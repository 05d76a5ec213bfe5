/* thread_data.c - data of one thread with a destructor: pthread keys, and C++ thread-locals.
 *
 * Keys that the program makes are ours, numbered from KEY_FIRST; their values stand beside the task.
 * Keys from before main are the C library's and stay there (its values follow the FS base), but since
 * its threads never end, their destructors are remembered here. Making and deleting a key is an
 * operation on one object for all keys; values are nobody else's business. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "substrates/native/before_main.h"
#include "substrates/native/real.h"
#include "substrates/native/thread_end.h"

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

static struct key early[KEYS_MAX]; /* of the C library, by number */
static uint32_t early_count;
static const char keys_object; /* its address stands for all keys */

/* --- making and deleting -------------------------------------------------------------------- */

static struct event *key_operation(struct task *task, uint64_t pc) {
    struct op op = {.kind = OP_KEY, .object = (uint64_t)&keys_object, .pc = pc};
    return perform(task, &op, NULL, NULL);
}

static int finish_operation(struct task *task, struct event *event, int error) {
    task->effects++;
    event->result = (uint64_t)error;
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
    if (rt.keys == NULL)
        rt.keys = scratch_alloc(sizeof *rt.keys);
    uint32_t at = 0;
    while (at < KEYS_MAX && rt.keys->at[at].used)
        at++;
    if (at == KEYS_MAX)
        return finish_operation(task, event, EAGAIN);
    rt.keys->at[at] = (struct key){true, function};
    if (at >= rt.keys->count)
        rt.keys->count = at + 1;
    *key = KEY_FIRST + at;
    return finish_operation(task, event, 0);
}

static struct key *own_key(pthread_key_t key) {
    uint32_t at = key - KEY_FIRST;
    return rt.keys != NULL && at < rt.keys->count && rt.keys->at[at].used ? &rt.keys->at[at] : NULL;
}

/* The number may be given to a new key, which begins with NULL in every thread. */
static void forget_values(uint32_t at) {
    for (uint32_t id = 0; id < rt.session->task_count; id++)
        if (rt.tasks[id].key_values != NULL)
            rt.tasks[id].key_values[at] = NULL;
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
    return own_key(key) != NULL && task->key_values != NULL ? task->key_values[key - KEY_FIRST]
                                                            : NULL;
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value) {
    struct task *task = rt.current;
    if (task == NULL || key < KEY_FIRST)
        return real.pthread_setspecific(key, value);
    if (own_key(key) == NULL)
        return EINVAL;
    if (task->key_values == NULL)
        task->key_values = scratch_alloc(KEYS_MAX * sizeof *task->key_values);
    task->key_values[key - KEY_FIRST] = (void *)value;
    task->effects++;
    return 0;
}

/* --- at the end of the thread --------------------------------------------------------------- */

/* A destructor may set values again: so all keys are gone through once more, up to ROUNDS times. */
static bool destroy_own(struct task *task) {
    bool any = false;
    for (uint32_t at = 0; task->key_values != NULL && at < rt.keys->count; at++) {
        void *value = task->key_values[at];
        task->key_values[at] = NULL;
        if (value == NULL || !rt.keys->at[at].used || rt.keys->at[at].destructor == NULL)
            continue;
        any = true;
        rt.keys->at[at].destructor(value);
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

/* The keys that there are. */
void keys_fingerprint(struct fingerprint *out) {
    for (uint32_t at = 0; rt.keys != NULL && at < rt.keys->count; at++) {
        fingerprint_add_number(out, rt.keys->at[at].used);
        fingerprint_add_number(out, (uint64_t)rt.keys->at[at].destructor);
    }
}

struct tls_object {
    struct tls_object *next;
    destructor *destructor;
    void *object;
};

/* What a task has stored, and what runs at its end. */
void thread_data_fingerprint(const struct task *task, struct fingerprint *out) {
    if (task->key_values != NULL && rt.keys != NULL)
        fingerprint_add(out, task->key_values, rt.keys->count * sizeof *task->key_values);
    const struct tls_object *entry = task->tls_destructors;
    for (; entry != NULL; entry = entry->next) {
        fingerprint_add_number(out, (uint64_t)entry->destructor);
        fingerprint_add_number(out, (uint64_t)entry->object);
    }
}

void tls_destructor_add(struct task *task, destructor *function, void *object) {
    struct tls_object *entry = scratch_alloc(sizeof *entry);
    *entry = (struct tls_object){task->tls_destructors, function, object};
    task->tls_destructors = entry;
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

/* The last one constructed comes first; a destructor may construct more. */
void thread_local_destructors(struct task *task) {
    while (task->tls_destructors != NULL) {
        struct tls_object *entry = task->tls_destructors;
        task->tls_destructors = entry->next;
        entry->destructor(entry->object);
    }
}
