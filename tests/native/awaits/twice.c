/* twice.c - a round looks several times: the value can change in between. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    while (atomic_load(&ready) != 3)
        assert(atomic_load(&ready) != 1 || atomic_load(&ready) != 2);
}

static void tell(void) {
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
    atomic_store(&ready, 3);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
