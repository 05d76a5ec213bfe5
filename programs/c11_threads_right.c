/* c11_threads_right.c - the program missed_signal_right.c, with the functions of C11 <threads.h>.
 *
 * expect: verified
 * executions: 2
 *
 * If main comes first, the thread need not sleep. If the thread comes first, it sleeps, main does
 * all its steps, and the thread wakes up. */
#include <heddle/heddle.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t event;
static bool ready;

static int waiter(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    while (!ready)
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
    mtx_lock(&lock);
    ready = true;
    cnd_signal(&event);
    mtx_unlock(&lock);
    thrd_join(thread, &result);
    heddle_assert(result == 7);
    cnd_destroy(&event);
    mtx_destroy(&lock);
    return 0;
}
