/* inside.c - the half of Heddle that lives in the tested program: joins the native system with a
 * strategy and the analyses, and runs executions until nothing is left.
 *
 * In one process, memory is put back between executions. With --isolate=fork each execution runs
 * in a child, a copy of this process at the entry of main. The search stands in shared memory,
 * so the child carries it on, and the parent only waits. In both cases, a process that dies
 * costs one execution. Both ways must give the same counts, so a fork is the check on the memory
 * reset. */
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
#include "engine/looks.h"
#include "strategies/strategies.h"
#include "substrates/native/native.h"

enum { FIRST_TASKS = 8 };

static struct session *session;

static _Noreturn void leave(int code) {
    for (;;)
        native_syscall(SYS_exit_group, code);
}

/* A bug of ours. The supervisor reports it, and says how to report it to us. */
static void report_own_bug(const char *condition, const char *file, int line) {
    snprintf(session->result.failure.text, sizeof session->result.failure.text, "%s:%d: %s", file,
             line, condition);
    session->result.failure.verdict = VERDICT_ERROR;
    session->live.phase = PHASE_DONE;
    leave(verdict_info(VERDICT_ERROR)->exit_code);
}

static bool runs_once(void) {
    return session->request.options.mode == MODE_REPLAY;
}

/* How the replay differs from the trace; empty if it does not. */
static const char *difference(void) {
    return session->result.failure.text[0] ? session->result.failure.text
                                           : session->result.difference.text;
}

/* Waits until the supervisor has judged the finding. Only the supervisor knows names and
 * suppressions. */
static void await_answer(void) {
    while (session->request.options.asks && session->live.answered < session->result.found.count &&
           !session->live.stop)
        native_syscall(SYS_poll, 0, 0, 1);
}

static void run_here(struct explorer *explorer) {
    if (!runs_once()) {
        native_prepare_tasks(FIRST_TASKS);
        native_keep_memory();
    }
    if (session->request.options.debugged)
        debugger_start(native_refresh);
    while (explorer_execute(explorer))
        await_answer();
    if (session->request.options.debugged)
        debugger_end(difference());
}

static void run_child(struct explorer *explorer) {
    native_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    session->live.process.pid = (int32_t)native_syscall(SYS_getpid);
    explorer_execute(explorer);
    session->live.process.came_back = true;
    leave(0);
}

static void run_forked(struct explorer *explorer) {
    while (session->live.phase != PHASE_DONE) {
        int status = 0;
        native_prepare_tasks(1);
        await_answer();
        session->live.process.came_back = false;
        long child = native_syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        CHECK(child >= 0);
        if (child == 0)
            run_child(explorer);
        while (native_syscall(SYS_wait4, child, &status, 0, 0) == -EINTR)
            ;
        if (!session->live.process
                 .came_back) { /* the program has ended the child, with any status */
            session->live.death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            explorer_died(explorer, session->live.death.signal);
        }
    }
}

/* Whatever the mode is, it runs the same program with the same traces on its stacks as the search
 * did. So states are compared if the strategy of the search compares them. */
static const struct strategy_info *choose_strategy(void) {
    const struct options *options = &session->request.options;
    const struct strategy_info *strategy = strategy_named(options->strategy);
    CHECK(strategy != NULL);
    session->live.states.compared = strategy_compares_states(strategy, options);
    if (strategy_has(strategy, KNOWS_LOOKS) && session->live.looks == NULL) {
        session->live.looks = pool_alloc(session->pool, sizeof *session->live.looks);
        looks_init(session->live.looks, session->pool);
    }
    return strategy_deciding(options);
}

_Noreturn void native_take_over(struct session *attached) {
    session = attached;
    check_set_handler(report_own_bug);
    struct explorer *explorer = explorer_open(session, &native_system, choose_strategy(),
                                              &replay_strategy, analyses, ANALYSES);
    CHECK(session->live.loaded.runtime == NULL ||
          session->live.loaded.runtime == (void *)&native_take_over);
    session->live.loaded.runtime = (void *)&native_take_over;
    if (session->live.death.happened) {
        session->live.death.happened = false;
        explorer_died(explorer, session->live.death.signal);
    }
    if (session->request.options.isolate == ISOLATE_FORK && !runs_once())
        run_forked(explorer);
    else
        run_here(explorer);
    leave(0);
}
