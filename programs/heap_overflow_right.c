/* heap_overflow_right.c - an array with one place left, and two threads that want it: testing for
 * room and taking the place are one step.
 *
 * expect: verified
 * executions: 2
 *
 * One critical section each, in either order. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { CAPACITY = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static intptr_t *items;
static int used = 1;

static void *append(void *item) {
    pthread_mutex_lock(&lock);
    bool room = used < CAPACITY;
    if (room)
        items[used++] = (intptr_t)item;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    items = calloc(CAPACITY, sizeof *items);
    pthread_create(&thread, NULL, append, (void *)(intptr_t)1);
    append((void *)(intptr_t)2);
    pthread_join(thread, NULL);
    free(items);
    return 0;
}
