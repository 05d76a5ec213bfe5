/* gate.c - n tasks wait for one store, then each adds to a number: n! orders. */
#include "team.h"

static atomic_int ready, sum;

static void work(int self) {
    (void)self;
    while (!atomic_load(&ready))
        ;
    atomic_fetch_add(&sum, 1);
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    join_team(threads, count);
    return 0;
}
