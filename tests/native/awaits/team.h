/* team.h - starts as many tasks as the first argument says, each with its number, and joins them. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEAM_MAX = 10 };

static void work(int self);

static void *run(void *self) {
    work((int)(intptr_t)self);
    return NULL;
}

static void start_team(pthread_t *threads, int count) {
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
}

static void join_team(pthread_t *threads, int count) {
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static int size_of_team(int argc, char **argv) {
    return argc > 1 ? atoi(argv[1]) : 2;
}
