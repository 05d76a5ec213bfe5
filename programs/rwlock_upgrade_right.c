/* rwlock_upgrade_right.c - from reading to writing: unlock, lock again, look again.
 *
 * A read-write lock cannot be upgraded in place. So the value that was read under the read lock may
 * have changed before the write lock is held.
 *
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int loads, value;

static void *use(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    bool missing = value == 0;
    pthread_rwlock_unlock(&lock);
    if (!missing)
        return NULL;
    pthread_rwlock_wrlock(&lock);
    if (value == 0) {
        value = 42;
        loads++;
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    heddle_assert(loads == 1);
    return 0;
}
