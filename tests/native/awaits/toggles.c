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

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
