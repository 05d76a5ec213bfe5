/* tryjoin_destructor_wrong.c - main takes the destructor of a key for the end of its thread.
 *
 * The destructor is the last code that the thread runs, but the thread ends only after it.
 *
 * expect: bug assertion */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_key_t key;
static sem_t destroyed;

static void destroy(void *unused) {
    (void)unused;
    sem_post(&destroyed);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_setspecific(key, &destroyed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&destroyed, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&destroyed);
    heddle_assert(pthread_tryjoin_np(thread, NULL) == 0);
    return 0;
}
