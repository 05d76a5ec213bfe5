/* kill_ended_wrong.c - main assumes that a thread that has done its work cannot receive a signal.
 *
 * A signal to a thread that has ended has no effect. If the thread has not ended yet, this signal
 * ends the process.
 *
 * expect: bug crash */
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
    pthread_kill(thread, SIGTERM);
    pthread_join(thread, NULL);
    return 0;
}
