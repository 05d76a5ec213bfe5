/* steals.c - an exchange that replaces what another task has left there is no round without effect. */
#include "team.h"

static atomic_int owner = -1, ready;

static void work(int self) {
    (void)self;
    while (atomic_exchange(&owner, self) != self)
        ;
    assert(atomic_load(&owner) == self || atomic_load(&ready) == 0);
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, NULL);
    return 0;
}
