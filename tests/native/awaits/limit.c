/* limit.c - a round reads a plain variable that was written before the task was told. One execution: the look
 * passes after the last store only. */
#include "team.h"

static atomic_int ready;
static int limit = 5, data[TEAM_MAX];

static void work(int self) {
    (void)self;
    int value;
    while ((value = atomic_load(&ready)) == 0 || value < limit)
        ;
    data[self] = value;
}

static void tell(void) {
    limit = 2;
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
