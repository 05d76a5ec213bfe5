/* rwlock_right.c - a reader and a writer, each with the lock that it needs.
 *
 * expect: verified
 * executions: 2
 *
 * One after the other, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low = 1, high = 2;

static void *writer(void *unused) {
    (void)unused;
    pthread_rwlock_wrlock(&lock);
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
