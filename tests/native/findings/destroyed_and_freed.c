/* destroyed_and_freed.c - a mutex is locked in a block that was freed, after it was destroyed there.
 *
 * expect: bug heap-misuse
 * findings: 1
 * complete: true
 *
 * That the memory is gone is worse than that the mutex is, and comes first. */
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
