/* c11_threads_wrong.c - the program missed_signal_wrong.c, with the functions of C11 <threads.h>.
 *
 * expect: bug deadlock
 * executions: 3
 *
 * The signal comes before the lock, between lock and sleep, or after the sleep. Only in the last
 * case does it wake the thread. */
#include <heddle/heddle.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t event;

static int waiter(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    cnd_wait(&event, &lock);
    mtx_unlock(&lock);
    return 7;
}

int main(void) {
    thrd_t thread;
    int result;
    mtx_init(&lock, mtx_plain);
    cnd_init(&event);
    thrd_create(&thread, waiter, NULL);
    cnd_signal(&event);
    thrd_join(thread, &result);
    heddle_assert(result == 7);
    cnd_destroy(&event);
    mtx_destroy(&lock);
    return 0;
}
