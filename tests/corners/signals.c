/* signals.c - signals of a program to itself and to its threads. Signals that would arrive later
 * are not supported (docs/CONTROLLED.md). */
#include "corner.h"
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t handled, nested;
static int data;
static atomic_int flag;

static void handle(int number) {
    handled += number == SIGUSR1;
}

static void install(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    OK(sigaction(number, &action, NULL));
}

/* expect: verified
 * executions: 1
 * raise returns after the handler has run. */
PROGRAM(signal_raised) {
    install(SIGUSR1, handle);
    OK(raise(SIGUSR1));
    assert(handled == 1);
    return 0;
}

/* expect: bug crash
 * The default action of SIGUSR1 ends the program. */
PROGRAM(signal_without_handler) {
    raise(SIGUSR1);
    return 0;
}

/* expect: verified
 * executions: 1
 * An ignored signal does nothing. The default action of SIGCHLD does nothing either. */
PROGRAM(signal_ignored) {
    install(SIGUSR1, SIG_IGN);
    OK(raise(SIGUSR1));
    OK(raise(SIGCHLD));
    return 0;
}

/* expect: verified
 * executions: 1
 * A blocked signal is delivered when it is unblocked. */
PROGRAM(signal_blocked) {
    sigset_t set;
    install(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
    OK(raise(SIGUSR1));
    assert(handled == 0);
    OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
    assert(handled == 1);
    return 0;
}

THREAD(look_at_mask) {
    sigset_t set;
    OK(pthread_sigmask(SIG_BLOCK, NULL, &set));
    assert(sigismember(&set, SIGUSR2) == 1);
    return NULL;
}

/* expect: verified
 * executions: 1
 * A new thread inherits the signal mask of its creator. */
PROGRAM(signal_mask_inherited) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
    join(spawn(look_at_mask, NULL));
    return 0;
}

THREAD(raise_in_thread) {
    OK(raise(SIGUSR1));
    assert(handled == 1);
    return NULL;
}

/* expect: verified
 * executions: 1
 * raise in a thread sends the signal to this thread. */
PROGRAM(signal_raised_in_a_thread) {
    install(SIGUSR1, handle);
    join(spawn(raise_in_thread, NULL));
    assert(handled == 1);
    return 0;
}

static void take_apart(int number) {
    (void)number;
    data = 1;
    nested++;
    if (nested == 1) {
        OK(raise(SIGUSR2));
        assert(nested == 2);
    }
}

/* expect: verified
 * executions: 1
 * A handler may raise another signal, which is handled inside it. */
PROGRAM(signal_nested) {
    install(SIGUSR1, take_apart);
    install(SIGUSR2, take_apart);
    OK(raise(SIGUSR1));
    assert(nested == 2);
    return 0;
}

static jmp_buf place;

static void jump(int number) {
    (void)number;
    siglongjmp(place, 3);
}

/* expect: verified
 * executions: 1
 * A handler may leave by siglongjmp, which restores the signal mask. */
PROGRAM(signal_left_by_longjmp) {
    install(SIGUSR1, jump);
    for (volatile int i = 0; i < 2; i++) {
        if (sigsetjmp(place, 1) == 0) {
            raise(SIGUSR1);
            assert(0);
        }
    }
    return 0;
}

static void exit_now(int number) {
    (void)number;
    _exit(0);
}

/* expect: verified
 * executions: 1
 * _exit may be called in a handler. */
PROGRAM(signal_exit_in_handler) {
    install(SIGUSR1, exit_now);
    raise(SIGUSR1);
    assert(0);
    return 0;
}

static void once_only(int number) {
    (void)number;
    handled++;
}

/* expect: bug crash
 * SA_RESETHAND: after the first signal, the default action is back, and it ends the program. */
PROGRAM(signal_reset_after_the_first) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = once_only;
    action.sa_flags = (int)SA_RESETHAND;
    OK(sigaction(SIGUSR1, &action, NULL));
    OK(raise(SIGUSR1));
    assert(handled == 1);
    raise(SIGUSR1);
    return 0;
}

static void with_information(int number, siginfo_t *information, void *context) {
    (void)context;
    assert(number == SIGUSR1 && information->si_signo == SIGUSR1);
    assert(information->si_pid == getpid());
    handled++;
}

/* expect: verified
 * executions: 1
 * With SA_SIGINFO, the handler learns which process sent the signal. */
PROGRAM(signal_information) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = with_information;
    action.sa_flags = SA_SIGINFO;
    OK(sigaction(SIGUSR1, &action, NULL));
    OK(sigaction(SIGUSR1, NULL, &old));
    assert(old.sa_sigaction == with_information && (old.sa_flags & SA_SIGINFO));
    OK(raise(SIGUSR1));
    OK(pthread_kill(pthread_self(), SIGUSR1));
    assert(handled == 2);
    return 0;
}

/* expect: bug assertion
 * abort ends the program. */
PROGRAM(signal_abort) {
    abort();
}

THREAD(stay) {
    while (!atomic_load(&flag)) {
    }
    return NULL;
}

/* expect: verified
 * Signal 0 sends nothing and only checks whether the thread exists. */
PROGRAM(signal_zero) {
    pthread_t thread = spawn(stay, NULL);
    OK(pthread_kill(thread, 0));
    GIVES(EINVAL, pthread_kill(thread, 999));
    atomic_store(&flag, 1);
    join(thread);
    return 0;
}

static void write_data(int number) {
    (void)number;
    data++;
}

THREAD(raise_and_write) {
    OK(raise(SIGUSR1));
    return NULL;
}

/* expect: bug data-race
 * Handlers of two threads run at the same time. */
PROGRAM(signal_handlers_race) {
    install(SIGUSR1, write_data);
    both(raise_and_write, raise_and_write);
    return 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock_in_handler(int number) {
    (void)number;
    pthread_mutex_lock(&mutex);
}

/* expect: bug deadlock
 * The handler wants the mutex that the interrupted code holds. */
PROGRAM(signal_handler_locks) {
    install(SIGUSR1, lock_in_handler);
    OK(pthread_mutex_lock(&mutex));
    raise(SIGUSR1);
    return 0;
}

/* expect: unsupported
 * documented: Signals that would arrive later or in another task: `sigwait*`, `sigsuspend`, `pause`
 * No signal can arrive while the program waits. */
PROGRAM(signal_pause) {
    install(SIGUSR1, handle);
    pause();
    return 0;
}

static int *volatile invalid = (int *)8;

THREAD(kill_main_silently) {
    *invalid = 1;
    return NULL;
}

/* expect: bug crash
 * A thread writes through an invalid pointer. */
PROGRAM(signal_segmentation_fault) {
    join(spawn(kill_main_silently, NULL));
    return 0;
}

static volatile int zero;

/* expect: bug crash
 * The program divides by zero. */
PROGRAM(signal_division_by_zero) {
    return 7 / zero;
}
