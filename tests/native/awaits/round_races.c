/* round_races.c - a round that only waits reads a plain variable that another task writes. */
#include "team.h"

static atomic_int ready;
static int limit;

static void work(int self) {
    (void)self;
    while (atomic_load(&ready) != 2 && (atomic_load(&ready) == 0 || limit == 0))
        ;
}

static void tell(void) {
    atomic_store(&ready, 1);
    limit = 1;
    atomic_store(&ready, 2);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
