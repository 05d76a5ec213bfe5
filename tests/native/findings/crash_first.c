/* crash_first.c - main follows a pointer that the thread has not yet set.
 *
 * expect: bug crash data-race
 * findings: 2
 *
 * Like assertion_first.c, but by a signal. */
#include <pthread.h>
#include <stddef.h>

static int value;
static int *pointer;

static void *setter(void *unused) {
    (void)unused;
    pointer = &value;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    *pointer = 1;
    pthread_join(thread, NULL);
    return 0;
}
