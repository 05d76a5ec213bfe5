/* cancelled_wait_wrong.c - pending waits of cancelled threads race with the end of the program.
 *
 * Two threads wait forever, one on a semaphore and one on a condition variable, until main cancels
 * them. Another thread may call exit() at any time before. If it does not, main joins both threads
 * and its assertion fails. A wait that a cancellation has enabled races with the exit(), even
 * though the semaphore is zero.
 *
 * expect: bug assertion */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waits;

static void *leave(void *unused) {
    (void)unused;
    exit(0);
}

static void *wait_for_semaphore(void *unused) {
    sem_wait(&semaphore);
    return unused;
}

static void release(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_condition(void *unused) {
    pthread_mutex_lock(&mutex);
    waits = 1;
    pthread_cleanup_push(release, NULL);
    pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t leaver, first, second;
    sem_init(&semaphore, 0, 0);
    pthread_create(&leaver, NULL, leave, NULL);
    pthread_create(&first, NULL, wait_for_semaphore, NULL);
    pthread_create(&second, NULL, wait_for_condition, NULL);
    pthread_mutex_lock(&mutex);
    int waiting = waits; /* if set, the second thread sleeps, and only its cancellation wakes it */
    pthread_mutex_unlock(&mutex);
    pthread_cancel(first);
    pthread_cancel(second);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(!waiting);
}
