/* attributes.c - attribute objects: values that were set are read back, invalid values are refused.
 * Also objects that were never initialised. */
#include "corner.h"
#include <limits.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

static pthread_attr_t attributes;
static int data;

THREAD(write_data) {
    data = 1;
    return NULL;
}

/* expect: bug sync-misuse
 * A thread that was created detached, by its attributes, cannot be joined. */
PROGRAM(attribute_detached) {
    pthread_t thread;
    OK(pthread_attr_init(&attributes));
    OK(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
    OK(pthread_create(&thread, &attributes, write_data, NULL));
    pthread_join(thread, NULL);
    return 0;
}

/* expect: verified
 * executions: 1
 * Joinable is the default. */
PROGRAM(attribute_joinable) {
    int state = -1;
    pthread_t thread;
    OK(pthread_attr_init(&attributes));
    OK(pthread_attr_getdetachstate(&attributes, &state));
    assert(state == PTHREAD_CREATE_JOINABLE);
    GIVES(EINVAL, pthread_attr_setdetachstate(&attributes, 99));
    OK(pthread_create(&thread, &attributes, write_data, NULL));
    OK(pthread_attr_destroy(&attributes));
    join(thread);
    assert(data == 1);
    return 0;
}

/* expect: verified
 * executions: 1
 * A stack size below the minimum is refused. A larger one is kept. */
PROGRAM(attribute_stack_size) {
    size_t size = 0;
    pthread_t thread;
    OK(pthread_attr_init(&attributes));
    GIVES(EINVAL, pthread_attr_setstacksize(&attributes, 1));
    OK(pthread_attr_setstacksize(&attributes, 1 << 20));
    OK(pthread_attr_getstacksize(&attributes, &size));
    assert(size == 1 << 20);
    OK(pthread_create(&thread, &attributes, write_data, NULL));
    join(thread);
    return 0;
}

/* expect: verified
 * executions: 1
 * The types of mutexes, and the default. */
PROGRAM(attribute_mutex_type) {
    pthread_mutexattr_t kinds;
    int type = -1;
    OK(pthread_mutexattr_init(&kinds));
    OK(pthread_mutexattr_gettype(&kinds, &type));
    assert(type == PTHREAD_MUTEX_DEFAULT);
    GIVES(EINVAL, pthread_mutexattr_settype(&kinds, 99));
    OK(pthread_mutexattr_settype(&kinds, PTHREAD_MUTEX_RECURSIVE));
    OK(pthread_mutexattr_gettype(&kinds, &type));
    assert(type == PTHREAD_MUTEX_RECURSIVE);
    OK(pthread_mutexattr_destroy(&kinds));
    return 0;
}

/* expect: verified
 * executions: 1
 * A mutex that processes can share works like any other. */
PROGRAM(attribute_shared_mutex) {
    pthread_mutexattr_t kinds;
    pthread_mutex_t mutex;
    int shared = -1;
    OK(pthread_mutexattr_init(&kinds));
    OK(pthread_mutexattr_setpshared(&kinds, PTHREAD_PROCESS_SHARED));
    OK(pthread_mutexattr_getpshared(&kinds, &shared));
    assert(shared == PTHREAD_PROCESS_SHARED);
    OK(pthread_mutex_init(&mutex, &kinds));
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    OK(pthread_mutex_destroy(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * The priority protocol can be set. It has no effect if no thread waits. */
PROGRAM(attribute_protocol) {
    pthread_mutexattr_t kinds;
    pthread_mutex_t mutex;
    int protocol = -1;
    OK(pthread_mutexattr_init(&kinds));
    OK(pthread_mutexattr_setprotocol(&kinds, PTHREAD_PRIO_INHERIT));
    OK(pthread_mutexattr_getprotocol(&kinds, &protocol));
    assert(protocol == PTHREAD_PRIO_INHERIT);
    OK(pthread_mutex_init(&mutex, &kinds));
    OK(pthread_mutex_lock(&mutex));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * Condition variables may use the monotonic clock; a clock of processor time is refused. */
PROGRAM(attribute_clock) {
    pthread_condattr_t kinds;
    clockid_t clock = -1;
    OK(pthread_condattr_init(&kinds));
    OK(pthread_condattr_getclock(&kinds, &clock));
    assert(clock == CLOCK_REALTIME);
    OK(pthread_condattr_setclock(&kinds, CLOCK_MONOTONIC));
    OK(pthread_condattr_getclock(&kinds, &clock));
    assert(clock == CLOCK_MONOTONIC);
    GIVES(EINVAL, pthread_condattr_setclock(&kinds, CLOCK_PROCESS_CPUTIME_ID));
    return 0;
}

/* expect: verified
 * executions: 1
 * Guard size, scope and inheritance can be read and set. */
PROGRAM(attribute_others) {
    size_t guard = 0;
    int scope = -1, inherit = -1;
    OK(pthread_attr_init(&attributes));
    OK(pthread_attr_setguardsize(&attributes, 8192));
    OK(pthread_attr_getguardsize(&attributes, &guard));
    assert(guard == 8192);
    OK(pthread_attr_getscope(&attributes, &scope));
    assert(scope == PTHREAD_SCOPE_SYSTEM);
    GIVES(ENOTSUP, pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS));
    OK(pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED));
    OK(pthread_attr_getinheritsched(&attributes, &inherit));
    assert(inherit == PTHREAD_INHERIT_SCHED);
    return 0;
}

THREAD(own_stack) {
    pthread_attr_t mine;
    void *low;
    size_t size;
    char local;
    OK(pthread_getattr_np(pthread_self(), &mine));
    OK(pthread_attr_getstack(&mine, &low, &size));
    OK(pthread_attr_destroy(&mine));
    assert(&local >= (char *)low && &local < (char *)low + size);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A local variable lies in the stack that pthread_getattr_np reports. */
PROGRAM(attribute_own_stack) {
    join(spawn(own_stack, NULL));
    return 0;
}

/* expect: verified
 * executions: 1
 * The kind of a read-write lock can be set. */
PROGRAM(attribute_rwlock_kind) {
    pthread_rwlockattr_t kinds;
    pthread_rwlock_t lock;
    int kind = -1;
    OK(pthread_rwlockattr_init(&kinds));
    OK(pthread_rwlockattr_setkind_np(&kinds, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));
    OK(pthread_rwlockattr_getkind_np(&kinds, &kind));
    assert(kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    OK(pthread_rwlock_init(&lock, &kinds));
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return 0;
}

/* expect: verified
 * executions: 1
 * A name has at most 15 characters, and a longer one is refused. A buffer of less than 16 bytes
 * is refused too. */
PROGRAM(attribute_name) {
    char name[16];
    OK(pthread_setname_np(pthread_self(), "fifteen letters"));
    OK(pthread_getname_np(pthread_self(), name, sizeof name));
    assert(strcmp(name, "fifteen letters") == 0);
    GIVES(ERANGE, pthread_setname_np(pthread_self(), "sixteen  letters"));
    GIVES(ERANGE, pthread_getname_np(pthread_self(), name, 15));
    return 0;
}

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t semaphore;
} * objects;

/* expect: bug sync-misuse
 * The mutex is in fresh heap memory, and pthread_mutex_init was not called. */
PROGRAM(uninitialised_mutex) {
    objects = malloc(sizeof *objects);
    pthread_mutex_lock(&objects->mutex);
    return 0;
}

/* expect: bug sync-misuse
 * The condition variable was never initialised. */
PROGRAM(uninitialised_condition) {
    objects = malloc(sizeof *objects);
    pthread_cond_signal(&objects->condition);
    return 0;
}

/* expect: bug sync-misuse
 * The read-write lock was never initialised. */
PROGRAM(uninitialised_rwlock) {
    objects = malloc(sizeof *objects);
    pthread_rwlock_rdlock(&objects->lock);
    return 0;
}

/* expect: bug sync-misuse
 * The barrier was never initialised. */
PROGRAM(uninitialised_barrier) {
    objects = malloc(sizeof *objects);
    pthread_barrier_wait(&objects->barrier);
    return 0;
}

/* expect: bug sync-misuse
 * The spin lock was never initialised. */
PROGRAM(uninitialised_spinlock) {
    objects = malloc(sizeof *objects);
    pthread_spin_lock(&objects->spin);
    return 0;
}

/* expect: bug sync-misuse
 * The semaphore was never initialised. */
PROGRAM(uninitialised_semaphore) {
    objects = malloc(sizeof *objects);
    sem_wait(&objects->semaphore);
    return 0;
}

/* expect: verified
 * executions: 1
 * Objects in the heap may be used if their functions or the static initialisers have initialised
 * them. */
PROGRAM(initialised_in_the_heap) {
    objects = malloc(sizeof *objects);
    objects->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    objects->condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    OK(pthread_rwlock_init(&objects->lock, NULL));
    OK(pthread_barrier_init(&objects->barrier, NULL, 1));
    OK(pthread_spin_init(&objects->spin, PTHREAD_PROCESS_PRIVATE));
    OK(sem_init(&objects->semaphore, 0, 1));
    OK(pthread_mutex_lock(&objects->mutex));
    OK(pthread_cond_signal(&objects->condition));
    OK(pthread_rwlock_rdlock(&objects->lock));
    pthread_barrier_wait(&objects->barrier);
    OK(pthread_spin_lock(&objects->spin));
    OK(sem_wait(&objects->semaphore));
    return 0;
}

/* expect: verified
 * executions: 1
 * The lock of a stream needs no initialisation. */
PROGRAM(initialised_stream) {
    FILE *file = fopen("/dev/null", "w");
    flockfile(file);
    flockfile(file);
    funlockfile(file);
    funlockfile(file);
    fclose(file);
    return 0;
}
