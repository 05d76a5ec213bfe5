/* detach_right.c - a detached thread tells main by a semaphore that it is done.
 *
 * expect: verified
 * executions: 2
 *
 * Main detaches before or after the thread's post. Main's wait comes after both. */
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
    return 0;
}
