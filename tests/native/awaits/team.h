/* team.h - as many tasks as the first argument says, each with its number. If a program is compiled
 * with -DSIZE=N, there are N tasks. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../programs/size.h"

enum { TEAM_MAX = 10 };

static void work(int self);

static void *run(void *self) {
    work((int)(intptr_t)self);
    return NULL;
}

/* Starts the tasks, calls `tell`, joins them, and returns how many there were. */
static int run_team(int argc, char **argv, void (*tell)(void)) {
    int count = size_argument(argc, argv, 2, TEAM_MAX);
    pthread_t threads[TEAM_MAX];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
    if (tell != NULL)
        tell();
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return count;
}
