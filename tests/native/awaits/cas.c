/* cas.c - a spin lock by compare-exchange: n! orders. */
#include "team.h"

static atomic_int held;
static int inside;

static void work(int self) {
    (void)self;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&held, &expected, 1))
        expected = 0;
    inside++;
    atomic_store(&held, 0);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
