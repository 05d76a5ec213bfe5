/* never.c - nobody stores what the tasks wait for. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    while (atomic_load(&ready) != 2)
        ;
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
