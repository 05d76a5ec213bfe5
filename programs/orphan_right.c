/* orphan_right.c - a worker waits for its last job, and gets it whether it is ready or not.
 *
 * expect: verified
 * executions: 1
 *
 * Post, wait: the wait is not possible before the post. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t jobs;

static void *worker(void *unused) {
    (void)unused;
    sem_wait(&jobs);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&jobs, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_post(&jobs);
    pthread_exit(NULL);
}
