/* limit.c - a round reads a plain variable that was written before the task was told. One execution: the look
 * passes after the last store only. */
#include "team.h"

static atomic_int ready;
static int limit = 5, data[TEAM_MAX];

static void work(int self) {
    (void)self;
    int value;
    while ((value = atomic_load(&ready)) == 0 || value < limit)
        ;
    data[self] = value;
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    limit = 2;
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
    join_team(threads, count);
    return 0;
}
