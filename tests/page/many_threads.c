/* many_threads.c - threads that take two locks in turn, and an assertion at the end that fails. The
 * arguments decide how wide and how long the schedule is. */
#include <pthread.h>
#include <stdlib.h>

#include <heddle/heddle.h>

enum { THREADS_MAX = 64 };

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int rounds, total;

static void *work(void *unused) {
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&outer);
        pthread_mutex_lock(&inner);
        total++;
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&outer);
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS_MAX];
    int count = argc > 2 ? atoi(argv[1]) : 2;
    rounds = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(total == 0);
}
