/* sem_trywait_wrong.c - sem_trywait() reports whether it succeeded, but the program ignores the
 * result.
 *
 * expect: bug assertion
 * executions: 52
 *
 * No thread is held up, so the orders are those of sem_pool_wrong.c. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t available;
static atomic_bool in_use;

static void *worker(void *unused) {
    (void)unused;
    sem_trywait(&available);
    heddle_assert(!atomic_exchange(&in_use, true));
    atomic_store(&in_use, false);
    sem_post(&available);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&available, 0, 1);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    sem_destroy(&available);
    return 0;
}
