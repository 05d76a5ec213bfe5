/* orphan_right.c - a worker that waits for its last job gets it, whether it is ready or not.
 *
 * expect: verified
 * executions: 2
 *
 * Thread: store, wait; main: post. The wait comes last. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static sem_t jobs;
static atomic_bool waiting;

static void *worker(void *unused) {
    (void)unused;
    atomic_store(&waiting, true);
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
