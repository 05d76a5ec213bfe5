/* unlock_other_right.c - one thread waits for another by a semaphore, which any thread may post.
 *
 * expect: verified
 * executions: 1
 *
 * Post, wait, join: the wait is not possible before the post. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t finished;

static void *worker(void *unused) {
    (void)unused;
    sem_post(&finished);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&finished, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&finished);
    pthread_join(thread, NULL);
    sem_destroy(&finished);
    return 0;
}
