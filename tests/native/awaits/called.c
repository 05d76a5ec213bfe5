/* called.c - a function looks: one execution. */
#include "team.h"

static atomic_int ready;

static __attribute__((noinline)) bool is_ready(const atomic_int *flag) {
    return atomic_load(flag) != 0;
}

static void work(int self) {
    (void)self;
    while (!is_ready(&ready))
        ;
}

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    join_team(threads, count);
    return 0;
}
