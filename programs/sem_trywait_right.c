/* sem_trywait_right.c - sem_trywait() reports whether it succeeded, and the program tests the
 * result.
 *
 * expect: verified
 * executions: 8
 *
 * The thread that tries first (either one) has four steps: try, open, close, post. The other one
 * tries at one of 3 places among them and fails, or tries after all four and succeeds: 2 * (3 +
 * 1). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t available;
static atomic_bool in_use;

static void *worker(void *unused) {
    (void)unused;
    if (sem_trywait(&available) != 0)
        return NULL;
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
