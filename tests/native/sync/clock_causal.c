/* clock_causal.c - a task that knows another task's time does not read an earlier one: under a
 * mutex, through an atomic, by a semaphore, by a join, and through a third task in between.
 *
 * Without the tool, CLOCK_MONOTONIC is the same clock for all threads. So a time that was read
 * before, in the order of happens-before, is not later. The first thread sleeps an hour first,
 * which moves its clock far ahead of the others.
 *
 * expect: verified */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long under_mutex, by_semaphore;
static atomic_long by_atomic;
static sem_t semaphore;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *first(void *unused) {
    sleep(3600);
    pthread_mutex_lock(&mutex);
    under_mutex = now();
    pthread_mutex_unlock(&mutex);
    atomic_store(&by_atomic, now());
    by_semaphore = now();
    sem_post(&semaphore);
    return unused;
}

static void *second(void *unused) {
    long seen = atomic_load(&by_atomic);
    assert(now() > seen);
    pthread_mutex_lock(&mutex);
    assert(now() > under_mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&semaphore, 0, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    sem_wait(&semaphore);
    assert(now() > by_semaphore);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
