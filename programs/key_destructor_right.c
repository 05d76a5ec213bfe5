/* key_destructor_right.c - a thread returns a copy of a result in its thread-specific block.
 *
 * The key's destructor frees the block when the thread ends.
 *
 * expect: verified
 * executions: 1
 *
 * Main only joins. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *unused) {
    (void)unused;
    int *block = malloc(sizeof *block);
    pthread_setspecific(key, block);
    *block = 42;
    return (void *)(intptr_t)*block;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    heddle_assert((intptr_t)result == 42);
    pthread_key_delete(key);
    return 0;
}
