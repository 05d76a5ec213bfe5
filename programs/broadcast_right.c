/* broadcast_right.c - two threads wait at a gate, and a broadcast wakes both.
 *
 * The news concerns all waiting threads, so it must be a broadcast. A signal would wake only one
 * thread.
 *
 * expect: verified */
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
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
