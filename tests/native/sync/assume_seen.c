/* A task with a false assumption goes no further. But others see what it has done before, and go
 * on. That they finally wait for it is no finding.
 * expect: bug assertion
 * findings: 1 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int shared;

static void *stops(void *unused) {
    (void)unused;
    atomic_store(&shared, 1);
    heddle_assume(false);
    return NULL;
}

static void *looks(void *unused) {
    (void)unused;
    assert(atomic_load(&shared) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, stops, NULL);
    pthread_create(&threads[1], NULL, looks, NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
