/* freed.c - the flag is freed while the task waits at it. */
#include "team.h"

static atomic_int *ready;

static void work(int self) {
    (void)self;
    while (!atomic_load(ready))
        ;
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    ready = calloc(1, sizeof *ready);
    start_team(threads, count);
    atomic_store(ready, 1);
    free(ready);
    join_team(threads, count);
    return 0;
}
