/* heap_overflow_wrong.c - an array with one place left, and two threads that want it: testing for
 * room and taking the place are two steps.
 *
 * If both threads test first, the second one writes beyond the end of the block.
 *
 * expect: bug heap-misuse
 * executions: 6
 *
 * Critical sections: test, take. If one thread has taken the place before the other tests, the
 * other does not take: 2 orders. Else both test first, 2 orders, and then both take, 2 orders: 2 +
 * 4. */
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
    pthread_mutex_unlock(&lock);
    if (!room)
        return NULL;
    pthread_mutex_lock(&lock);
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
