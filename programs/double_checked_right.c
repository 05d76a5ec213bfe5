/* double_checked_right.c - double-checked locking with an atomic pointer.
 *
 * The first look is an acquire, and the store is a release. So a thread that sees the pointer also
 * sees the data that it points to.
 *
 * expect: verified
 * executions: 12
 *
 * One thread, either, is the first in the lock: look, lock, look, store, unlock. The other thread
 * looks after the store (before or after the unlock: 2 places) or before it (4 places). In the
 * second case it must lock, look and unlock, all after the first thread's unlock. 2 * (2 + 4). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct settings {
    int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings storage;
static struct settings *_Atomic instance;

static struct settings *get(void) {
    struct settings *seen = atomic_load_explicit(&instance, memory_order_acquire);
    if (seen)
        return seen;
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&instance, memory_order_relaxed)) {
        storage.limit = 42;
        atomic_store_explicit(&instance, &storage, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return &storage;
}

static void *user(void *unused) {
    (void)unused;
    heddle_assert(get()->limit == 42);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    return 0;
}
