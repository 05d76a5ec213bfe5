/* sem_pool_wrong.c - a pool with one connection, and a semaphore that counts two.
 *
 * expect: bug assertion
 * executions: 52
 *
 * Nobody is held up: wait, open, close, post for each thread. An execution fails when the second
 * one opens before the first has closed: the first's wait and open and the second's wait in 3
 * orders, and the second's open; then the failure before the first's close, before its post, or after
 * both. It goes well when the second opens after the first's close:
 * its wait comes at 3 places before that close, and the first's post at 4 after it, or its wait
 * comes after that close, and the first's post at 5. 2 * (9 + 12 + 5). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t available;
static atomic_bool in_use;

static void *worker(void *unused) {
    (void)unused;
    sem_wait(&available);
    heddle_assert(!atomic_exchange(&in_use, true));
    atomic_store(&in_use, false);
    sem_post(&available);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&available, 0, 2);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    sem_destroy(&available);
    return 0;
}
