/* fence.c - a relaxed look with a fence behind it. Nothing else is shared: one execution. */
#include "team.h"

static atomic_int ready;
static int data;

static void work(int self) {
    (void)self;
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_acquire);
    assert(data == 5);
}

static void tell(void) {
    data = 5;
    atomic_store(&ready, 1);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
