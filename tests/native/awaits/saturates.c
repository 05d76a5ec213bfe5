/* saturates.c - the third look is one of its own, all later ones are alike. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    int looks = 0;
    while (!atomic_load(&ready))
        looks = looks < 3 ? looks + 1 : 3;
    assert(looks != 2);
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    join_team(threads, count);
    return 0;
}
