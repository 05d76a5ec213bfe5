/* tls_wrong.c - a scratch variable that all threads share, as in the old strerror().
 *
 * One word is missing: `__thread`.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static intptr_t scratch;

static void *worker(void *argument) {
    scratch = (intptr_t)argument;
    heddle_yield();
    heddle_assert(scratch != 0); /* fails if another thread has reset the variable */
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, (void *)(intptr_t)1);
    worker((void *)(intptr_t)2);
    pthread_join(thread, NULL);
    return 0;
}
