/* called.c - a function looks: one execution. */
#include "team.h"

static atomic_int ready;

static __attribute__((noinline)) bool is_ready(const atomic_int *flag) {
    return atomic_load(flag) != 0;
}

static void work(int self) {
    (void)self;
    while (!is_ready(&ready))
        ;
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
