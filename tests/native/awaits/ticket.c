/* ticket.c - n tasks enter once, in the order of their tickets: n! executions. */
#include "team.h"

static atomic_int next, serving;
static int inside;

static void work(int self) {
    int mine = atomic_fetch_add(&next, 1);
    (void)self;
    while (atomic_load(&serving) != mine)
        ;
    inside++;
    atomic_store(&serving, mine + 1);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
