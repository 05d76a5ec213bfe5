/* census.c - see census.h. */
#include "machines/production/census.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_rest = PTHREAD_COND_INITIALIZER;
static uint64_t busy;

void census_busy(uint32_t more) {
    pthread_mutex_lock(&lock);
    busy += more;
    pthread_mutex_unlock(&lock);
}

void census_rest(void) {
    pthread_mutex_lock(&lock);
    if (--busy == 0)
        pthread_cond_signal(&all_rest);
    pthread_mutex_unlock(&lock);
}

void census_wait(void) {
    pthread_mutex_lock(&lock);
    while (busy > 0)
        pthread_cond_wait(&all_rest, &lock);
    pthread_mutex_unlock(&lock);
}
