/* double_free_wrong.c - a counted reference: dropping it and asking whether it was the last are two
 * steps.
 *
 * If both threads drop theirs first, both find that none is left, and both free.
 *
 * expect: bug heap-misuse
 * executions: 6
 *
 * Two critical sections each: 4!/(2! 2!), and four of them drop twice before they ask. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 2;
static void *object;

static void *drop(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    references--;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    bool last = references == 0;
    if (last)
        free(object);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    object = malloc(16);
    pthread_create(&thread, NULL, drop, NULL);
    drop(NULL);
    pthread_join(thread, NULL);
    return 0;
}
