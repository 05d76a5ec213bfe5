/* A task wants to write while it reads, and so blocks itself for ever.
 * expect: bug deadlock
 * text: waits for read-write lock */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    return 0;
}
