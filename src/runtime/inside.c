/* inside.c - the half of Heddle that lives in the tested program: joins the native system with a
 * strategy and the analyses, and runs executions until nothing is left.
 *
 * In-process, memory is put back between executions. With --isolate=fork each execution runs in a
 * child, a copy of this process as it stood at the entry of main; the search stands in shared memory,
 * so the child carries it on and the parent only waits. Either way, a process that dies costs one
 * execution. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "analyses/analyses.h"
#include "base/check.h"
#include "engine/debugger.h"
#include "engine/explore.h"
#include "strategies/strategies.h"
#include "substrates/native/native.h"

enum { FIRST_TASKS = 8 };

static struct session *session;

static _Noreturn void leave(int code) {
    for (;;)
        native_syscall(SYS_exit_group, code);
}

/* A bug of ours: the supervisor says so, and how to report it. */
static void report_own_bug(const char *condition, const char *file, int line) {
    snprintf(session->error, sizeof session->error, "%s:%d: %s", file, line, condition);
    session->error_verdict = VERDICT_ERROR;
    session->phase = PHASE_DONE;
    leave(verdict_info(VERDICT_ERROR)->exit_code);
}

static bool runs_once(void) {
    return session->options.mode == MODE_REPLAY;
}

/* Text that says in what the replay differs from the trace; empty: in nothing. */
static const char *difference(void) {
    return session->error[0] ? session->error : session->difference;
}

/* Names are the supervisor's, and so is what is suppressed. */
static void await_answer(void) {
    while (session->options.asks && session->answered < session->finding_count && !session->stop)
        native_syscall(SYS_poll, 0, 0, 1);
}

static void run_here(struct explorer *explorer) {
    if (!runs_once()) {
        native_prepare_tasks(FIRST_TASKS);
        native_keep_memory();
    }
    if (session->options.debugged)
        debugger_start(native_refresh);
    while (explorer_execute(explorer))
        await_answer();
    if (session->options.debugged)
        debugger_end(difference());
}

static void run_child(struct explorer *explorer) {
    native_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    session->pid = (int32_t)native_syscall(SYS_getpid);
    explorer_execute(explorer);
    session->came_back = true;
    leave(0);
}

static void run_forked(struct explorer *explorer) {
    while (session->phase != PHASE_DONE) {
        int status = 0;
        native_prepare_tasks(1);
        await_answer();
        session->came_back = false;
        long child = native_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        CHECK(child >= 0);
        if (child == 0)
            run_child(explorer);
        while (native_syscall(SYS_wait4, child, &status, 0, 0) == -EINTR)
            ;
        if (!session->came_back) { /* the program ended it, by whatever status */
            session->died_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            explorer_died(explorer, session->died_signal);
        }
    }
}

/* A smaller execution is one of the same program: also in what is left on its stacks. */
static const struct strategy_ops *choose_strategy(void) {
    const struct options *options = &session->options;
    const struct strategy_ops *strategy = strategy_named(options->strategy);
    CHECK(strategy != NULL);
    session->compares_states = strategy_compares_states(strategy, options);
    return options->mode == MODE_MINIMISE ? &minimise_strategy
           : options->mode == MODE_CORPUS ? &corpus_strategy
                                          : strategy;
}

_Noreturn void native_take_over(struct session *attached) {
    session = attached;
    check_set_handler(report_own_bug);
    struct explorer *explorer = explorer_open(session, &native_system, choose_strategy(),
                                              &replay_strategy, analyses, ANALYSES);
    CHECK(session->code == NULL || session->code == (void *)&native_take_over);
    session->code = (void *)&native_take_over;
    if (session->died) {
        session->died = false;
        explorer_died(explorer, session->died_signal);
    }
    if (session->options.isolate == ISOLATE_FORK && !runs_once())
        run_forked(explorer);
    else
        run_here(explorer);
    leave(0);
}
