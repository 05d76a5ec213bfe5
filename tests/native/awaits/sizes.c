/* sizes.c - the variable is also written byte by byte, so not every value that it had is known. The task keeps the value
 * that it read before the last one. */
#include "team.h"

static union {
    atomic_ushort whole;
    atomic_uchar bytes[2];
} ready;

static void work(int self) {
    unsigned short value, before = 0;
    (void)self;
    while ((value = atomic_load(&ready.whole)) != 0x201)
        before = value;
    assert(before != 0x101);
}

static void tell(void) {
    atomic_store(&ready.bytes[0], 1);
    atomic_store(&ready.bytes[1], 1);
    atomic_store(&ready.bytes[1], 2);
}

int main(int argc, char **argv) {
    run_team(argc, argv, tell);
    return 0;
}
