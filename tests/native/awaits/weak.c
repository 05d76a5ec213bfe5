/* weak.c - a spin lock by a weak compare-exchange, which gives way: n! orders. */
#include "team.h"

static atomic_int held;
static int inside;

static void work(int self) {
    (void)self;
    int expected;
    do {
        expected = 0;
        if (expected == 0)
            sched_yield();
    } while (!atomic_compare_exchange_weak(&held, &expected, 1));
    inside++;
    atomic_store(&held, 0);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
