/* rwlock_wrong.c - a writer takes the read lock.
 *
 * Readers share the lock with each other, and now with a writer too.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low = 1, high = 2;

static void *writer(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    low += 10;
    high += 10;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    heddle_assert(low < high);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
