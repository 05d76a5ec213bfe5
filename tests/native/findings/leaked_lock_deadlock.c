/* leaked_lock_deadlock.c - a thread ends with a mutex locked, and main wants this mutex afterwards.
 *
 * expect: bug deadlock leaked-lock
 * findings: 2
 * complete: true */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    return 0;
}
