/* retry.c - a failed compare-exchange keeps what it has read, and the next one expects it. So each of them is an
 * operation, and each way in which a task can fail is an execution of its own. n tasks write 7 in this way, and main
 * writes 1. A task looks first, and tries after each look. It fails as long as there is another value, and it succeeds
 * at its place in the order of the writes. So it has as many ways as there are sequences of moments between the writes
 * of which two neighbours have different values, and of which the last has the value at the place of its success.
 *
 * n = 1: if 1 comes first, the values are 0 1: the task has looked at 1 alone, or at 0 and 1. If 1 comes last, it has
 * looked at 0: 2 + 1 = 3.
 * n = 2: if 1 comes first, the values are 0 1 7. The first task has 2 ways as above, the second one 4: any of 0 and 1
 * before 7. If 1 comes second, the values are 0 7 1, and the tasks have 1 and 4 ways. If it comes last, they are 0 7 7;
 * the tasks have 1 and 2 ways. The tasks can change places: 2 (8 + 4 + 2) = 28. */
#include "team.h"

static atomic_int x;

static void work(int self) {
    int seen = atomic_load(&x);
    (void)self;
    while (!atomic_compare_exchange_strong(&x, &seen, 7))
        ;
}

static void tell(void) {
    atomic_store(&x, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
