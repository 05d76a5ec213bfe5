/* If a thread function writes a result for the program, this is a write of the calling task. Here
 * sem_getvalue writes main's variable while the thread reads it. The identity of the thread is
 * written before the thread begins, so it does not race.
 * expect: bug data-race
 * findings: 1
 * text: data race on `value` */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t thread;
static sem_t semaphore;
static int value;

static void *look(void *unused) {
    (void)unused;
    return pthread_equal(thread, pthread_self()) && value == 7 ? &value : NULL;
}

int main(void) {
    void *result;
    sem_init(&semaphore, 0, 3);
    pthread_create(&thread, NULL, look, NULL);
    sem_getvalue(&semaphore, &value);
    pthread_join(thread, &result);
    return 0;
}
