/* Direct futex calls: a mismatch, bit sets, a time-out, and a hand-over without a lost wake-up.
 * expect: verified */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint32_t word;
static int data;

static long futex(int operation, uint32_t value, const struct timespec *time, uint32_t bits) {
    return syscall(SYS_futex, &word, operation, value, time, NULL, bits);
}

static void *producer(void *unused) {
    (void)unused;
    data = 42;
    atomic_store_explicit(&word, 1, memory_order_release);
    futex(FUTEX_WAKE_PRIVATE, 1, NULL, 0);
    return NULL;
}

int main(void) {
    struct timespec short_time = {0, 1000}, deadline = {2000000000, 0}, bad = {0, -1};
    pthread_t thread;
    heddle_assert(futex(FUTEX_WAIT_PRIVATE, 7, NULL, 0) == -1 && errno == EAGAIN);
    heddle_assert(futex(FUTEX_WAIT_PRIVATE, 0, &short_time, 0) == -1 && errno == ETIMEDOUT);
    heddle_assert(futex(FUTEX_WAIT_PRIVATE, 0, &bad, 0) == -1 && errno == EINVAL);
    heddle_assert(futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &deadline, 1) == -1);
    heddle_assert(errno == ETIMEDOUT && time(NULL) >= 2000000000);
    heddle_assert(futex(FUTEX_WAIT_BITSET, 0, NULL, 0) == -1 && errno == EINVAL);
    heddle_assert(futex(FUTEX_WAKE, INT_MAX, NULL, 0) == 0);
    pthread_create(&thread, NULL, producer, NULL);
    while (atomic_load_explicit(&word, memory_order_acquire) == 0)
        futex(FUTEX_WAIT_PRIVATE, 0, NULL, 0);
    heddle_assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
