/* signals_blocked.c - a blocked signal waits for its thread, and a new thread has the mask and the
 * name of its creator.
 *
 * Each question has one answer by POSIX and Linux. A thread that was just created has no pending
 * signal.
 *
 * expect: verified */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static __thread volatile sig_atomic_t handled;
static sigjmp_buf back;

static void handler(int number) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, number)); /* blocked while its handler runs */
    if (handled++ == 0) {
        raise(number); /* delivered when this call returns */
        assert(handled == 1);
    }
}

static void leave(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void *worker(void *unused) {
    sigset_t mask, pending;
    char name[16];
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert(sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1));
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "creator") == 0);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    assert(handled == 0);
    return unused;
}

int main(void) {
    sigset_t set, before, pending;
    pthread_t thread;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, leave);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_setname_np(pthread_self(), "creator");
    assert(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && handled == 0);
    sigpending(&pending);
    assert(sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    assert(sigismember(&before, SIGUSR1));
    assert(handled == 2); /* once for the two signals before, and once more from its handler */
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1));
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR2);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    assert(!sigismember(&before, SIGUSR2)); /* the mask is the one at sigsetjmp */
    return 0;
}
