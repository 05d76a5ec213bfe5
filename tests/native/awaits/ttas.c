/* ttas.c - test, then test-and-set. There are n! orders in which the tasks enter. The lock is free at the start
 * and after each task; the look of the task that enters as number k has found it free at one of the k moments
 * before. So there are n! * n! executions: a failed exchange is a round that only waits, too. */
#include "team.h"

static atomic_int held;
static int inside;

static void work(int self) {
    (void)self;
    do {
        while (atomic_load(&held))
            ;
    } while (atomic_exchange(&held, 1));
    inside++;
    atomic_store(&held, 0);
}

int main(int argc, char **argv) {
    int count = run_team(argc, argv, NULL);
    assert(inside == count);
    return 0;
}
