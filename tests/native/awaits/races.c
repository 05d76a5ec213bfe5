/* races.c - the flag is written by a plain store. */
#include "team.h"

static int ready;

static void work(int self) {
    (void)self;
    while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
        ;
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    ready = 1;
    join_team(threads, count);
    return 0;
}
