/* flag.c - a spin lock by an atomic flag, which sleeps in between: n! orders. */
#include "team.h"

static atomic_flag held = ATOMIC_FLAG_INIT;
static int inside;

static void work(int self) {
    (void)self;
    while (atomic_flag_test_and_set(&held))
        usleep(100);
    inside++;
    atomic_flag_clear(&held);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
