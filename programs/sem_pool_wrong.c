/* sem_pool_wrong.c - a pool with one connection, and a semaphore that starts at two.
 *
 * expect: bug assertion
 * executions: 52
 *
 * No thread is held up: each one does wait, open, close, post. Either thread may be the first to
 * open (factor 2). An execution fails if the second thread opens before the first has closed. Then
 * the first's wait and open and the second's wait have 3 orders, and the second's open follows; the
 * failure comes before the first's close, before its post, or after both: 3 * 3 = 9. An execution
 * succeeds if the second thread opens after the first's close. Either the second's wait comes at
 * one of 3 places before that close, and the first's post at one of 4 places after it: 12; or the
 * second's wait comes after that close, and the first's post at one of 5 places. 2 * (9 + 12 +
 * 5). */
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
