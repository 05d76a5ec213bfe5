/* team.h - as many tasks as the first argument says, each with its number. */
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

/* Starts the tasks, calls `tell`, joins them, and returns how many there were. */
static int run_team(int argc, char **argv, void (*tell)(void)) {
    int count = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t threads[TEAM_MAX];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
    if (tell != NULL)
        tell();
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return count;
}
