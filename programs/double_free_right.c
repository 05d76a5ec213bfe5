/* double_free_right.c - a reference count: lowering it and testing for zero is one step.
 *
 * expect: verified
 * executions: 2
 *
 * One critical section each, in either order. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 2;
static void *object;

static void *drop(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    bool last = --references == 0;
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
