/* A semaphore is destroyed while a task waits for it.
 * expect: bug sync-misuse
 * text: destroy of a semaphore on which tasks wait */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;

static void *waiter(void *unused) {
    (void)unused;
    sem_wait(&sem);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    sem_destroy(&sem);
    return 0;
}
