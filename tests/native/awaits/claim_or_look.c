/* claim_or_look.c - a compare-exchange fails, and then the task looks. It may have failed with the old value. */
#include "team.h"

static atomic_int ready;

static void work(int self) {
    (void)self;
    for (;;) {
        int expected = 7;
        if (atomic_compare_exchange_strong(&ready, &expected, 9))
            break;
        if (atomic_load(&ready) == 1) {
            assert(expected == 1);
            break;
        }
    }
}

static void tell(void) {
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
