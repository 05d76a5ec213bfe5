/* sem_trywait_right.c - sem_trywait() says whether it got in, and is believed.
 *
 * expect: verified
 * executions: 8
 *
 * Who tries first, either, has four steps: try, open, close, post. The other tries, in vain, at one
 * of 3 places among them, or gets in after all four: 2 * (3 + 1). */
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
