/* Read locks nest and are shared, a writer is alone, and errors are those of the C library.
 *
 * The thread's write lock and unlock are w u. Main reads twice: R R' U U'. Either w comes before R,
 * or after U'. Then u follows w at once, because no other task can move: 2 orders. After that, main
 * joins.
 * expect: verified
 * executions: 2 */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *unused) {
    (void)unused;
    heddle_assert(pthread_rwlock_wrlock(&lock) == 0);
    value = 1;
    value = 2;
    heddle_assert(pthread_rwlock_unlock(&lock) == 0);
    return NULL;
}

static void alone(void) {
    struct timespec deadline = {2000000000, 0}, bad = {0, 1000000000};
    heddle_assert(pthread_rwlock_wrlock(&lock) == 0);
    heddle_assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    heddle_assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    heddle_assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    heddle_assert(pthread_rwlock_unlock(&lock) == 0);
    heddle_assert(pthread_rwlock_rdlock(&lock) == 0);
    heddle_assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    heddle_assert(pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT);
    heddle_assert(pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
    heddle_assert(pthread_rwlock_timedrdlock(&lock, &deadline) == 0);
    heddle_assert(pthread_rwlock_unlock(&lock) == 0);
    heddle_assert(pthread_rwlock_unlock(&lock) == 0);
    heddle_assert(pthread_rwlock_trywrlock(&lock) == 0);
    heddle_assert(pthread_rwlock_unlock(&lock) == 0);
}

int main(void) {
    pthread_t thread;
    alone();
    pthread_create(&thread, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    int before = value;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    heddle_assert(value == before && value != 1);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
