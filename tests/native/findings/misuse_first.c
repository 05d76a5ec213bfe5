/* misuse_first.c - main locks a destroyed mutex, right after a read that races with the thread's
 * write.
 *
 * expect: bug data-race sync-misuse
 * findings: 2
 *
 * The tool notices that the mutex is destroyed before the lock becomes an operation. */
#include <pthread.h>
#include <stddef.h>

static int x, seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_destroy(&mutex);
    pthread_create(&thread, NULL, writer, NULL);
    seen = x;
    pthread_mutex_lock(&mutex);
    pthread_join(thread, NULL);
    return seen;
}
