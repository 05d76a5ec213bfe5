/* tryjoin_wrong.c - main assumes that a thread that has done its work has also ended.
 *
 * Between the last store of the thread and its end, pthread_tryjoin_np answers EBUSY.
 *
 * expect: bug assertion */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void *worker(void *unused) {
    (void)unused;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&done);
    heddle_assert(pthread_tryjoin_np(thread, NULL) == 0);
    return 0;
}
