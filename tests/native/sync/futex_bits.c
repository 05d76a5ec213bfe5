/* A wake-up with other bits, or of fewer tasks than wait, leaves waiters behind. Any of the waiters
 * may be woken.
 * expect: bug assertion
 * findings: 2 */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word;
static atomic_int first;

static void *sleeper(void *number) {
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 2);
    int expected = 0;
    atomic_compare_exchange_strong(&first, &expected, (int)(intptr_t)number);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, sleeper, (void *)1);
    pthread_create(&two, NULL, sleeper, (void *)2);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, 1);
    heddle_assert(woken == 0);
    heddle_assume(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 3) == 1);
    heddle_assume(atomic_load(&first) != 0);
    heddle_assume(syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0) == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (first == 1)
        heddle_assert(!"the first sleeper was woken first");
    heddle_assert(!"the second sleeper was woken first");
    return 0;
}
