/* gate.c - n tasks wait for one store, then each adds to a number: n! orders. */
#include "team.h"

static atomic_int ready, sum;

static void work(int self) {
    (void)self;
    while (!atomic_load(&ready))
        ;
    atomic_fetch_add(&sum, 1);
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
