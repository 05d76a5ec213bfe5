/* remembers.c - the task keeps what it has read before the last look. The assertion fails if that was 1: each look
 * matters. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    int value, before = 0;
    while ((value = atomic_load(&ready)) != 2)
        before = value;
    assert(before != 1);
}

static void tell(void) {
    atomic_store(&ready, 1);
    atomic_store(&ready, 2);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
