/* crash_returned.c - a handler of SIGSEGV that returns leads to the same instruction again: a crash
 * at this place.
 *
 * expect: bug crash
 * executions: 1
 * text: invalid memory access (SIGSEGV): read at address 0x10 */
#include <signal.h>

static volatile int calls;

static void handler(int number) {
    (void)number;
    calls++;
}

int main(void) {
    signal(SIGSEGV, handler);
    return *(volatile int *)16;
}
