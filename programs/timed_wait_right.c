/* timed_wait_right.c - after a timed wait the program checks whether the event has happened.
 *
 * expect: verified */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool here;

static void *traveller(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    here = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void welcome(void) {
    heddle_assert(here);
}

int main(void) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 10;

    pthread_t thread;
    pthread_create(&thread, NULL, traveller, NULL);
    pthread_mutex_lock(&lock);
    int error = 0;
    while (!here && error == 0)
        error = pthread_cond_timedwait(&arrived, &lock, &deadline);
    heddle_assert(error == 0 || error == ETIMEDOUT);
    if (here)
        welcome();
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
