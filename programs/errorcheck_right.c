/* errorcheck_right.c - an error-checking mutex reports that the caller holds it already.
 *
 * notify() may be called with or without the lock. If locking fails with EDEADLK, the caller of
 * notify() holds the lock and will unlock it.
 *
 * expect: verified
 * executions: 4
 *
 * Thread: one store. Main: lock, look, (lock, which fails,) unlock. The store comes at two places
 * before the look and at two after it. */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_bool listening;
static int state, notified;

static void notify(void) {
    int error = pthread_mutex_lock(&lock);
    heddle_assert(error == 0 || error == EDEADLK);
    notified = state;
    if (error == 0)
        pthread_mutex_unlock(&lock);
}

static void update(void) {
    pthread_mutex_lock(&lock);
    state++;
    if (atomic_load(&listening))
        notify();
    pthread_mutex_unlock(&lock);
}

static void *listener(void *unused) {
    (void)unused;
    atomic_store(&listening, true);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);

    pthread_t thread;
    pthread_create(&thread, NULL, listener, NULL);
    update();
    pthread_join(thread, NULL);
    heddle_assert(notified == 0 || notified == state);
    pthread_mutex_destroy(&lock);
    return 0;
}
