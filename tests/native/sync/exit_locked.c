/* A task that ends the process waits for nothing, even if its last operation was to lock a mutex
 * that it still holds.
 * expect: verified
 * executions: 1 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    return 0;
}
