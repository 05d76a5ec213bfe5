/* cached.c - a queue that keeps a copy of the index of its other side. Each task keeps one of the two values, in
 * any combination: 2^n executions. */
#include "team.h"

static atomic_int ready;
static struct { int cached; } queues[TEAM_MAX];

static void work(int self) {
    (void)self;
    while (queues[self].cached == 0)
        queues[self].cached = atomic_load(&ready);
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
    join_team(threads, count);
    return 0;
}
