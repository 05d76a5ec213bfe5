/* twice.c - a round looks several times: the value can change in between. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    while (atomic_load(&ready) != 3)
        assert(atomic_load(&ready) != 1 || atomic_load(&ready) != 2);
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
    atomic_store(&ready, 3);
    join_team(threads, count);
    return 0;
}
