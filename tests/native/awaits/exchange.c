/* exchange.c - a spin lock by exchange: n! orders. */
#include "team.h"

static atomic_int held;
static int inside;

static void work(int self) {
    (void)self;
    while (atomic_exchange(&held, 1))
        ;
    inside++;
    atomic_store(&held, 0);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
