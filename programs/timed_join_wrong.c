/* timed_join_wrong.c - a thread that has done its work is joined with a deadline that has passed.
 *
 * The thread may not have ended yet, and then the join fails at once.
 *
 * expect: bug assertion */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t done;

static void *worker(void *unused) {
    (void)unused;
    sem_post(&done);
    return NULL;
}

int main(void) {
    const struct timespec past = {.tv_sec = 1};
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&done);
    heddle_assert(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past) == 0);
    return 0;
}
