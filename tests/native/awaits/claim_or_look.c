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

int main(int argc, char **argv) {
    int count = size_of_team(argc, argv);
    pthread_t threads[TEAM_MAX];
    start_team(threads, count);
    atomic_store(&ready, 1);
    join_team(threads, count);
    return 0;
}
