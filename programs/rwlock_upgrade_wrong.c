/* rwlock_upgrade_wrong.c - a thread asks for the write lock while it holds the read lock.
 *
 * The writer waits for all readers to leave, and it is one of these readers itself.
 *
 * expect: bug deadlock */
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
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        value = 42;
        loads++;
        pthread_rwlock_unlock(&lock);
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
