/* kill_ended_right.c - signal 0 does not tell whether a thread has ended: it may be sent until the
 * thread is joined.
 *
 * The worker posts, and main waits for the post: only one order is possible.
 *
 * expect: verified
 * executions: 1 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
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
    heddle_assert(pthread_kill(thread, 0) == 0);
    pthread_join(thread, NULL);
    return 0;
}
