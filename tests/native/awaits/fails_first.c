/* Test, then test-and-set, as in ttas.c. But the task can tell after its last exchange that another one had failed
 * before it. Without optimisation, the failed round leaves a mark that the next one does not remove. */
#include "team.h"

static atomic_int held;

static void work(int self) {
    bool failed = false;
    (void)self;
    for (;;) {
        while (atomic_load(&held))
            ;
        if (!atomic_exchange(&held, 1))
            break;
        failed = true;
    }
    assert(!failed);
    atomic_store(&held, 0);
}

int main(int argc, char **argv) {
    run_team(argc, argv, NULL);
    return 0;
}
