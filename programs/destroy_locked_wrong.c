/* destroy_locked_wrong.c - a mutex is destroyed while a thread holds it, or will still lock it.
 *
 * expect: bug sync-misuse
 * executions: 3
 *
 * The thread locks and unlocks. Main destroys the mutex before, between or after. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_destroy(&lock);
    pthread_join(thread, NULL);
    return 0;
}
