/* hidden.c - the count of the looks is in memory that is read behind the loop. */
#include "team.h"

static atomic_int ready;
static int looks[TEAM_MAX];

static void work(int self) {
    (void)self;
    while (!atomic_load(&ready))
        looks[self] = looks[self] < 3 ? looks[self] + 1 : 3;
    assert(looks[self] != 2);
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
