/* toggles.c - every second round is another one. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    bool odd = false;
    while (!atomic_load(&ready))
        odd = !odd;
    assert(!odd);
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    join_team(threads, count);
    return 0;
}
