/* counts.c - the task counts its looks in a variable of its own, and fails if there were two. */
#include "team.h"

static atomic_int ready;
static _Thread_local int looks;

static void work(int self) {
    (void)self;
    while (!atomic_load(&ready))
        looks++;
    assert(looks != 2);
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
