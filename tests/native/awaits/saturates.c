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

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
