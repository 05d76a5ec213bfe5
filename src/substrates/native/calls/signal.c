/* signal.c - signal handlers, masks, and signals to oneself.
 *
 * The kernel delivers no signal to the program. Handlers and masks are only remembered, for one
 * execution. A signal that a task sends to itself arrives at once, as natively: its handler
 * runs, it is ignored, or it ends the process, which is a finding. A blocked signal waits until
 * the task unblocks it. Signals that would arrive later, or in another thread, are not
 * controlled yet.
 *
 * Handlers and the mask that exist when main begins, from constructors or from the process that
 * started the program, are taken from the kernel. */
#define _GNU_SOURCE
#include "substrates/native/calls/signal.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/fingerprint.h"
#include "execution/finding.h"
#include "substrates/native/calls/calls.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/thread.h"
#include "substrates/native/tasks/thread_end.h"
#include "substrates/native/tasks/traits.h"

#define LATER "signals that arrive later, or in another thread, are not controlled yet"
#define NOT_RUN "handlers run only for crashes, and for signals that a thread sends to itself"

struct actions {
    struct sigaction at[NSIG];
};

static struct scratch_root actions_root; /* a struct actions */
static struct actions inherited;         /* when main begins */
static uint64_t blocked_at_start;

void actions_fingerprint(struct fingerprint *out) {
    if (actions_root.at != NULL)
        fingerprint_add(out, actions_root.at, sizeof(struct actions));
}

static bool valid(int signal) {
    return signal > 0 && signal < NSIG;
}

static uint64_t bit_of(int signal) {
    return (uint64_t)1 << (signal - 1);
}

/* --- handlers ------------------------------------------------------------------------------- */

static struct sigaction *action_of(int signal) {
    bool first = actions_root.at == NULL;
    struct actions *actions = scratch_at(&actions_root, sizeof *actions);
    if (first)
        *actions = inherited;
    return &actions->at[signal];
}

static bool is_function(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* From here on the kernel calls no handler of the program. The program's mask does not hold for
 * us, because a crash must reach us. */
void signals_inherit(void) {
    uint64_t none = 0;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        if (real.sigaction(signal, NULL, &inherited.at[signal]) == 0 &&
            is_function(&inherited.at[signal]))
            real.sigaction(signal, &standard, NULL);
    }
    native_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, &blocked_at_start, sizeof none);
}

void signals_to_first_task(struct task *task) {
    if (blocked_at_start != 0)
        traits_of(task)->signals_blocked = blocked_at_start;
}

EXPORT int sigaction(int signal, const struct sigaction *restrict action,
                     struct sigaction *restrict before) {
    if (rt.current == NULL)
        return real.sigaction(signal, action, before);
    if (!valid(signal) || (action != NULL && (signal == SIGKILL || signal == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction *kept = action_of(signal);
    struct sigaction old = *kept;
    if (action != NULL) {
        *kept = *action;
        rt.current->effects++;
        if (is_function(action))
            noted("sigaction", NOT_RUN, CALLER);
        if (signal == SIGPIPE &&
            action->sa_handler == SIG_IGN) /* otherwise the kernel would end the process */
            real.sigaction(signal, action, NULL);
    }
    if (before != NULL)
        *before = old;
    return 0;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags, uint64_t pc) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    if (valid(number) && is_function(&action))
        noted("signal", NOT_RUN, pc);
    action.sa_handler = is_function(&action)
                            ? SIG_DFL
                            : handler; /* so that sigaction() below adds no second line */
    if (sigaction(number, &action, &before) != 0)
        return SIG_ERR;
    action_of(number)->sa_handler = handler;
    return before.sa_handler;
}

EXPORT sighandler_t signal(int number, sighandler_t handler) {
    if (rt.current == NULL)
        return libc.signal(number, handler);
    return set_handler(number, handler, SA_RESTART, CALLER);
}

#define ALIAS(name, function) \
    EXPORT extern __typeof__(function) name __attribute__((alias(#function)))
ALIAS(ssignal, signal);
ALIAS(__sysv_signal, signal);

/* Our own handlers have a stack of their own. The program's handlers need none. */
EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict before) {
    if (rt.current == NULL)
        return libc.sigaltstack(stack, before);
    if (before != NULL)
        *before = (stack_t){.ss_flags = SS_DISABLE};
    return 0;
}

/* --- sending -------------------------------------------------------------------------------- */

static bool ignored_by_default(int signal) {
    return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

static bool stops_by_default(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* The signals that are blocked while the handler runs: the signal itself, and those that the
 * handler asks for. */
static uint64_t blocked_by(const struct sigaction *action, int signal) {
    uint64_t own = action->sa_flags & SA_NODEFER ? 0 : bit_of(signal);
    return (action->sa_mask.__val[0] | own) & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
}

static void deliver_pending(struct task *task, uint64_t pc);

void signal_run_handler(struct task *task, int signal, siginfo_t *info, void *context,
                        uint64_t pc) {
    struct sigaction *action = action_of(signal), now = *action;
    struct traits *traits = traits_of(task);
    uint64_t before = traits->signals_blocked;
    if (now.sa_flags & SA_RESETHAND)
        *action = (struct sigaction){0};
    traits->signals_blocked |= blocked_by(&now, signal);
    if (now.sa_flags & SA_SIGINFO)
        now.sa_sigaction(signal, info, context);
    else
        now.sa_handler(signal);
    traits->signals_blocked = before;
    deliver_pending(task, pc);
}

static _Noreturn void killed(struct task *task, int signal, uint64_t pc) {
    enum finding_kind kind = signal == SIGABRT ? FINDING_ASSERTION : FINDING_CRASH;
    found(task, kind, 0, pc, "the program sends itself signal %d (SIG%s), which ends it", signal,
          sigabbrev_np(signal) != NULL ? sigabbrev_np(signal) : "RT");
}

static bool is_blocked(const struct task *task, int signal) {
    return task->traits != NULL && (task->traits->signals_blocked & bit_of(signal));
}

/* A standard signal is pending or not; it is not counted how often it was sent. */
static void make_pending(struct task *task, int signal) {
    unsigned char *pending = &traits_of(task)->pending[signal];
    if (*pending == 0 || (signal >= SIGRTMIN && *pending < UCHAR_MAX))
        ++*pending;
    task->effects++;
}

/* The signal is not blocked. */
static void arrive(const char *call, struct task *task, int signal, uint64_t pc) {
    const struct sigaction *action = action_of(signal);
    siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
    info.si_pid = (pid_t)native_syscall(SYS_getpid);
    info.si_uid = (uid_t)native_syscall(SYS_getuid);
    bool standard = action->sa_handler == SIG_DFL;
    if (action->sa_handler == SIG_IGN || (standard && ignored_by_default(signal)))
        return;
    if (standard && stops_by_default(signal))
        unsupported(call, pc, LATER);
    if (standard)
        killed(task, signal, pc);
    signal_run_handler(task, signal, &info, NULL, pc);
}

/* Delivers the pending signals that are not blocked any more, the lowest number first. */
static void deliver_pending(struct task *task, uint64_t pc) {
    for (int signal = 1; task->traits != NULL && signal < NSIG; signal++)
        while (task->traits->pending[signal] > 0 && !is_blocked(task, signal)) {
            task->traits->pending[signal]--;
            arrive("pthread_sigmask", task, signal, pc);
        }
}

bool signal_has_handler(const struct task *task, int signal) {
    return actions_root.at != NULL && is_function(action_of(signal)) && !is_blocked(task, signal);
}

void signal_set_mask(struct task *task, uint64_t blocked, uint64_t pc) {
    struct traits *traits = traits_of(task);
    blocked &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    task->effects += traits->signals_blocked != blocked;
    traits->signals_blocked = blocked;
    deliver_pending(task, pc);
}

/* `self`: the signal is for the calling thread. Otherwise it is for any thread of the process,
 * or for another one. */
static int deliver(const char *call, int signal, bool self, uint64_t pc) {
    struct task *task = rt.current;
    if (signal < 0 || signal >= NSIG)
        return EINVAL;
    if (signal == 0)
        return 0;
    const struct sigaction *action = action_of(signal);
    bool stays = signal == SIGKILL ||
                 signal == SIGSTOP; /* such a signal can be neither blocked nor caught */
    if (!stays && is_blocked(task, signal)) {
        if (!self)
            unsupported(call, pc, LATER);
        make_pending(task, signal);
        return 0;
    }
    if (!self && is_function(action))
        unsupported(call, pc, LATER);
    arrive(call, task, signal, pc);
    return 0;
}

static int with_errno(int error) {
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* --- masks ---------------------------------------------------------------------------------- */

static int change_mask(int how, const sigset_t *set, sigset_t *before, uint64_t pc) {
    uint64_t old = traits_of(rt.current)->signals_blocked, bits = set != NULL ? set->__val[0] : 0;
    if (before != NULL)
        *before = (sigset_t){.__val = {old}};
    if (set == NULL)
        return 0;
    switch (how) {
    case SIG_BLOCK: signal_set_mask(rt.current, old | bits, pc); return 0;
    case SIG_UNBLOCK: signal_set_mask(rt.current, old & ~bits, pc); return 0;
    case SIG_SETMASK: signal_set_mask(rt.current, bits, pc); return 0;
    default: return EINVAL;
    }
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
    return rt.current == NULL ? libc.pthread_sigmask(how, set, before)
                              : change_mask(how, set, before, CALLER);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
    if (rt.current == NULL)
        return libc.sigprocmask(how, set, before);
    int error = change_mask(how, set, before, CALLER);
    if (error != 0)
        errno = error;
    return error ? -1 : 0;
}

EXPORT int sigpending(sigset_t *set) {
    const struct task *task = rt.current;
    if (task == NULL)
        return libc.sigpending(set);
    sigemptyset(set);
    for (int signal = 1; task->traits != NULL && signal < NSIG; signal++)
        if (task->traits->pending[signal] > 0)
            sigaddset(set, signal);
    return 0;
}

/* --- what the program calls ----------------------------------------------------------------- */

EXPORT int raise(int signal) {
    if (rt.current == NULL)
        return libc.raise(signal);
    return with_errno(deliver("raise", signal, true, CALLER));
}

/* A signal to a thread that has ended, and was not joined yet, goes nowhere. This is no error,
 * as in the C library since 2.34. So signal 0 does not tell whether the thread has ended. */
EXPORT int pthread_kill(pthread_t thread, int signal) {
    struct task *task = rt.current;
    if (task == NULL)
        return libc.pthread_kill(thread, signal);
    if (task_of_thread(thread) == NULL)
        return ESRCH;
    const struct task *target = thread_named(task, thread, "pthread_kill", CALLER);
    if (target == task)
        return deliver("pthread_kill", signal, true, CALLER);
    if (signal != 0)
        thread_ends_matter();
    struct op op = {.kind = OP_KILL, .target = target->id, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    thread_named(task, thread, "pthread_kill", CALLER);
    bool ended = target->state == TASK_ENDED;
    happened(event);
    return ended ? 0 : deliver("pthread_kill", signal, false, CALLER);
}

/* Any thread that has not blocked the signal may get it. If there is only one thread, it gets
 * the signal. If it has blocked the signal, a later thread might get it. */
static int kill_process(int signal, uint64_t pc) {
    bool blocked = signal > 0 && signal < NSIG && is_blocked(rt.current, signal);
    return deliver("kill", signal, live_tasks.count == 1 && !blocked, pc);
}

EXPORT int kill(pid_t pid, int signal) {
    if (rt.current == NULL)
        return libc.kill(pid, signal);
    if (pid == getpid() || pid == 0)
        return with_errno(kill_process(signal, CALLER));
    if (signal != 0)
        unsupported("kill", CALLER, PROCESSES);
    return libc.kill(pid, signal);
}

EXPORT int killpg(pid_t group, int signal) {
    if (rt.current == NULL)
        return libc.killpg(group, signal);
    unsupported("killpg", CALLER, PROCESSES);
}

/* A watchdog that ends the process never does so in virtual time. A handler would have to run. */
EXPORT unsigned int alarm(unsigned int seconds) {
    if (rt.current == NULL)
        return libc.alarm(seconds);
    if (seconds != 0 && is_function(action_of(SIGALRM)))
        unsupported("alarm", CALLER, LATER);
    if (seconds != 0)
        noted("alarm", "never goes off: time is virtual", CALLER);
    return 0;
}
