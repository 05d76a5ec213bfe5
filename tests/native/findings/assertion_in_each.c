/* assertion_in_each.c - every thread fails before its first operation. Main fails in the step that
 * creates the threads.
 *
 * expect: bug assertion
 * findings: 3
 * complete: true
 *
 * The first failure ends the program. So each of the three must come first in some execution. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *first(void *unused) {
    assert(unused != NULL);
    return NULL;
}

static void *second(void *unused) {
    assert(unused != NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    assert(threads[0] == threads[1]);
    return 0;
}
