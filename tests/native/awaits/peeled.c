/* peeled.c - the first look is no part of the loop. Main writes 1, then 2, for which the tasks wait. The first look of
 * each task is an operation, and comes before, between or behind the two writes: 3^n executions. */
#include "team.h"

static atomic_int x;

static void work(int self) {
    int seen = atomic_load(&x);
    (void)self;
    while (seen != 2)
        seen = atomic_load(&x);
}

static void tell(void) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
