/* relaxed.c - a round that acquires nothing reads a plain variable. What another task has acquired by its operation on
 * the same variable stays acquired. */
#include "team.h"

static atomic_int turn, passed;
static int limit = 10, data;

static void work(int self) {
    if (self == 0) {
        while (atomic_load_explicit(&turn, memory_order_relaxed) < limit)
            ;
    } else if (atomic_fetch_add_explicit(&turn, 1, memory_order_acq_rel) > 0) {
        atomic_store(&passed, 1);
        assert(data == 5);
    }
}

static void tell(void) {
    data = 5;
    atomic_store_explicit(&turn, 1, memory_order_release);
    atomic_store(&turn, 20);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
