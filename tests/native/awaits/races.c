/* races.c - the flag is written by a plain store. */
#include "team.h"

static int ready;

static void work(int self) {
    (void)self;
    while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
        ;
}

static void tell(void) {
    ready = 1;
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
