/* detach_wrong.c - main joins a detached thread.
 *
 * The identity of the thread may be invalid by then, or belong to another thread.
 *
 * expect: bug sync-misuse */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t finished;
static int result;

static void *worker(void *unused) {
    (void)unused;
    result = 42;
    sem_post(&finished);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&finished, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    sem_wait(&finished);
    heddle_assert(result == 42);
    pthread_join(thread, NULL);
    return 0;
}
