/* orphan_wrong.c - a worker waits for its last job, but main has ended.
 *
 * Main posts the job only if it sees that the worker is ready. If not, the worker waits forever. No
 * task waits for the worker, so there is no cycle, only a process that does not end.
 *
 * expect: bug blocked-forever
 * executions: 2
 *
 * Thread: store, wait. Main: look, and post if it saw the store. Main looks before the store, or
 * after it. The wait comes after the post, or never. */
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
    if (atomic_load(&waiting))
        sem_post(&jobs);
    pthread_exit(NULL);
}
