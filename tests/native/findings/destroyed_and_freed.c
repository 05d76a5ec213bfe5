/* destroyed_and_freed.c - a mutex is destroyed, its block is freed, and then the mutex is locked.
 *
 * expect: bug heap-misuse
 * findings: 1
 * complete: true
 *
 * The use of freed memory is worse than the use of a destroyed mutex, so it is reported first. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_destroy(mutex);
    free(mutex);
    pthread_mutex_lock(mutex);
    return 0;
}
