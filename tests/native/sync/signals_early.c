/* signals_early.c - handlers and a signal mask that a constructor has set are in effect in main.
 *
 * The handler runs when main raises its signal, in each execution. The constructor blocked the
 * other signal, so it arrives when main unblocks it.
 *
 * expect: verified
 * executions: 1 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;

static void handler(int number) {
    handled += number;
}

__attribute__((constructor)) static void begin(void) {
    sigset_t set;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int main(void) {
    sigset_t set;
    raise(SIGUSR1);
    raise(SIGUSR2);
    assert(handled == SIGUSR1);
    sigemptyset(&set);
    assert(pthread_sigmask(SIG_SETMASK, &set, &set) == 0);
    assert(handled == SIGUSR1 + SIGUSR2 && sigismember(&set, SIGUSR2));
    return 0;
}
