/* abort_first.c - main aborts, unless the thread has set a plain variable.
 *
 * expect: bug assertion data-race
 * findings: 2 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool ready;

static void *server(void *unused) {
    (void)unused;
    ready = true;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    if (!ready)
        abort();
    pthread_join(thread, NULL);
    return 0;
}
