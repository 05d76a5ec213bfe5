/* double_free_wrong.c - a reference count: lowering it and testing for zero are two steps.
 *
 * If both threads lower the count before either tests it, both find zero, and both free the object.
 *
 * expect: bug heap-misuse
 * executions: 6
 *
 * Two critical sections each: 4!/(2! 2!) orders. In four of them both threads lower the count
 * first. */
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
