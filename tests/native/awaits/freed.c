/* freed.c - the flag is freed while the task waits at it. */
#include "team.h"

static atomic_int *ready;

static void work(int self) {
    (void)self;
    while (!atomic_load(ready))
        ;
}

static void tell(void) {
    atomic_store(ready, 1);
    free(ready);
}

int main(int argc, char **argv) {
    ready = calloc(1, sizeof *ready);
    run_team(argc, argv, tell);
    return 0;
}
