/* futex.c - see futex.h. The word is in memory that processes share, so the calls must not be the
 * private ones. */
#include "base/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>

static long futex(volatile uint32_t *word, long operation, long value,
                  const struct timespec *timeout) {
    register const struct timespec *fourth __asm__("r10") = timeout;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}

void futex_wait(volatile uint32_t *word, uint32_t value, const struct timespec *timeout) {
    futex(word, FUTEX_WAIT, (long)value, timeout);
}

void futex_wake(volatile uint32_t *word) {
    futex(word, FUTEX_WAKE, INT_MAX, NULL);
}
