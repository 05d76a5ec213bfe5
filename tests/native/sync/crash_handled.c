/* crash_handled.c - a handler of SIGSEGV that leaves by siglongjmp: the fault is no crash, however
 * often it happens, in two threads.
 *
 * The thread reads at address 16 once, main twice. Each time the handler jumps back, and the
 * program counts this. With dfs, both threads have a read and an addition, in C(4,2) = 6 orders.
 * The rest is main alone: if the thread has not ended, main stands before the join.
 *
 * expect: verified
 * executions: 6 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static __thread sigjmp_buf back;
static atomic_int caught;

static void handler(int number, siginfo_t *info, void *context) {
    assert(number == SIGSEGV && info->si_addr == (void *)16 && context != NULL);
    siglongjmp(back, 1);
}

static void *worker(void *unused) {
    if (sigsetjmp(back, 1) == 0)
        *(volatile int *)16;
    else
        atomic_fetch_add(&caught, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    worker(NULL);
    assert(caught == 3);
    return 0;
}
