/* broadcast_wrong.c - two threads wait at a gate, and a signal wakes only one.
 *
 * If both threads sleep already when the signal comes, one of them sleeps forever.
 *
 * expect: bug deadlock */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool open;

static void *pass(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, pass, NULL);
    pthread_create(&second, NULL, pass, NULL);
    pthread_mutex_lock(&lock);
    open = true;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
