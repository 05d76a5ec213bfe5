/* supervise.c - see supervise.h.
 *
 * There is one loop around poll. Signals (of the user and of children) and the program's output
 * wake it up, and every 20 ms it looks at the session. It handles these events:
 *
 *   the child ended   If it ended within an execution, another process goes on with the search.
 *   no movement       If program code makes no step, the step signal turns this into a divergence.
 *                     The signal is sent repeatedly, because the runtime ignores it within its own
 *                     code. A process that does not react for GRACE_MS is killed and started again.
 *   --timeout, ^C     The session is asked to stop. After GRACE_MS the program is killed; after
 *                     STEP_GRACE_MS if its own code does not end, or has not reached main.
 *
 * Heddle does not restart forever: a process must make progress in the search before it may die. */
#define _GNU_SOURCE
#include "cli/supervise/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/supervise/pace.h"
#include "cli/base/paths.h"
#include "cli/base/say.h"
#include "cli/supervise/output.h"
#include "cli/supervise/sound.h"

enum {
    TICK_MS = 20,
    GRACE_MS = 2000,
    STEP_GRACE_MS = 100, /* for the current step, after a request to stop */
    START_MS = 30000,    /* for the way to main */
    IDLE_MS = 60000,     /* for Heddle's own code between two steps */
    RESTARTS_IDLE_MAX = 3,
};

struct supervisor {
    struct supervision *result;
    struct session *session;
    struct child child;
    int signals; /* signalfd */
    uint64_t started_ms;
    uint64_t apart_ms;      /* time for the work on findings, which is not part of the search */
    uint64_t stop_ms;       /* when the first request to stop came, or 0 */
    uint64_t mark, mark_ms; /* the last measure of progress, and when it changed */
    uint64_t late_ms;       /* since when a step has taken too long, or 0 */
    struct pace pace;
    uint64_t restart_mark;  /* the progress of the search at the last restart */
    uint32_t restarts_idle; /* restarts without progress in between */
    struct sound sound;
    bool step_killed; /* the supervisor has killed the process because a step did not end */
    bool over;
};

static const char KILLED[] = "the program was killed from outside";

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

__attribute__((format(printf, 3, 4))) static void
fail(struct supervisor *self, enum verdict verdict, const char *format, ...) {
    struct failure *failure = &self->session->result.failure;
    self->over = true;
    if (failure->text[0] && !failure->outside) /* the runtime knows better */
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    failure->verdict = verdict;
    failure->outside = true;
    self->session->result.search.stopped = STOPPED_NOT;
}

/* --- starting and ending processes --- */

static void start(struct supervisor *self) {
    char error[FAILURE_TEXT];
    self->mark_ms = now_ms();
    self->mark = ~self->mark; /* a new process counts as progress */
    self->step_killed = false;
    if (!child_start(&self->child, self->result->plan, error, sizeof error))
        fail(self, VERDICT_UNSUPPORTED, "%s", error);
}

/* Adds up the usage of all processes of the tested program. A compiler of an explorer is not one of
 * them. */
static void note_usage(struct supervision *supervision, const struct rusage *usage) {
    supervision->cpu_seconds += (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                                (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
    if ((uint64_t)usage->ru_maxrss > supervision->memory_kb)
        supervision->memory_kb = (uint64_t)usage->ru_maxrss;
}

/* Waits for the end of the process and returns its status. */
static int wait_for_child(struct supervisor *self) {
    struct rusage usage = {0};
    int status = 0;
    while (wait4(self->child.pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    note_usage(self->result, &usage);
    self->child.pid = 0;
    return status;
}

static void end_child(struct supervisor *self) {
    child_kill(&self->child);
    if (self->child.pid > 0)
        wait_for_child(self);
}

static uint64_t progress(const struct session *session) {
    const struct counters *counters = &session->result.counters;
    return counters_begun(counters) + counters->transitions + session->result.found.count +
           (session->live.phase == PHASE_CONFIRMING);
}

static void describe_end(int status, char *text, size_t size) {
    if (WIFSIGNALED(status))
        snprintf(text, size, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "with exit status %d", WEXITSTATUS(status));
}

/* If the runtime has not reported, it is not known whether the program ended in a constructor, or
 * whether the runtime could not be loaded into it. */
static void ended_before_main(struct supervisor *self, int status) {
    bool preloaded = self->session->live.process.pid == 0 && !self->result->linked;
    char how[80];
    if (self->session->live.process.pid == 0 && WIFEXITED(status) &&
        WEXITSTATUS(status) == SESSION_REFUSED) {
        fail(self, VERDICT_ERROR, "%s is of another build than this tool", paths_library());
        return;
    }
    describe_end(status, how, sizeof how);
    fail(self, VERDICT_UNSUPPORTED, "%s ended before main, %s%s", self->result->plan->path, how,
         preloaded ? "; or it is not linked to Heddle's runtime and cannot be preloaded" : "");
}

/* The program died within an execution. The next process continues the search after that
 * execution. */
static void restart(struct supervisor *self, int status) {
    struct session *session = self->session;
    uint64_t reached = progress(session);
    bool moved = reached != self->restart_mark && !session->live.death.happened;
    self->restarts_idle = moved ? 0 : self->restarts_idle + 1;
    self->restart_mark = reached;
    char how[80];
    describe_end(status, how, sizeof how);
    if (self->restarts_idle > RESTARTS_IDLE_MAX) {
        fail(self, VERDICT_ERROR,
             "the program ended %s several times in a row, and the search makes no "
             "progress",
             how);
        return;
    }
    session->live.death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (self->step_killed)
        session->live.death.signal = SESSION_STEP_SIGNAL;
    session->live.death.happened = true;
    output_drain(&self->child);
    start(self);
}

/* Returns true if the process was killed from outside while Heddle's own code ran: then its data
 * may be incomplete. */
static bool killed_inside(const struct supervisor *self, int status) {
    const struct session *session = self->session;
    return WIFSIGNALED(status) && supervise_from_outside(WTERMSIG(status)) && !self->step_killed &&
           (!session->live.process.in_program || session->live.phase == PHASE_BETWEEN);
}

static void child_ended(struct supervisor *self, int status) {
    const struct session *session = self->session;
    char how[80];
    describe_end(status, how, sizeof how);
    if (session->live.phase == PHASE_DONE || session->result.failure.text[0] ||
        session->result.search.stopped != STOPPED_NOT)
        self->over = true;
    else if (session->live.phase == PHASE_STARTING)
        ended_before_main(self, status);
    else if (killed_inside(self, status))
        fail(self, VERDICT_BUDGET, "%s", KILLED);
    else if (session->live.phase == PHASE_BETWEEN)
        fail(self, VERDICT_ERROR, "the runtime ended %s between two executions", how);
    else
        restart(self, status);
}

/* All processes that the program started end with it. The group is killed before the wait that
 * releases its number, because the number could belong to another group afterwards. */
static void reap(struct supervisor *self) {
    siginfo_t info = {0};
    pid_t pid = self->child.pid;
    if (pid <= 0 || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != pid)
        return;
    child_kill(&self->child);
    child_ended(self, wait_for_child(self));
}

/* --- requests to stop ----------------------------------------------------------------------- */

/* The first reason counts. */
static void note_stop(struct session *session, enum stopped why) {
    if (session->result.search.stopped == STOPPED_NOT && !session->result.failure.outside)
        session->result.search.stopped = why;
}

/* The second request does not wait for the end of the current execution. */
static void stop(struct supervisor *self, enum stopped why) {
    if (self->session->live.stop)
        child_kill(&self->child);
    else
        self->stop_ms = now_ms();
    note_stop(self->session, why);
    self->session->live.stop = true;
}

static void take_signals(struct supervisor *self) {
    struct signalfd_siginfo info;
    while (read(self->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo == SIGCHLD)
            reap(self);
        else
            stop(self, STOPPED_BY_INTERRUPT);
}

/* Returns true if the program must be killed. The current execution may still end, but a long step
 * of the program is not waited for. A program that is killed in its own code leaves no incomplete
 * data in the session. */
static bool patience_is_over(const struct supervisor *self, uint64_t now) {
    const struct session *session = self->session;
    uint64_t since = self->mark_ms > self->stop_ms ? self->mark_ms : self->stop_ms;
    bool ours = !session->live.process.in_program && session->live.phase != PHASE_STARTING;
    return now - self->stop_ms >= GRACE_MS || (!ours && now - since >= STEP_GRACE_MS);
}

static void check_time(struct supervisor *self, uint64_t now) {
    uint32_t timeout_ms = self->session->request.options.timeout_ms;
    if (self->result->from_main && self->session->live.phase == PHASE_STARTING)
        self->started_ms = now;
    if (timeout_ms && now - self->started_ms + self->apart_ms >= timeout_ms &&
        !self->session->live.stop)
        stop(self, STOPPED_BY_TIMEOUT);
    if (self->stop_ms && patience_is_over(self, now))
        child_kill(&self->child);
}

/* --- steps that do not end ------------------------------------------------------------------ */

static void step_timed_out(struct supervisor *self, uint64_t heartbeat, uint64_t now) {
    pid_t pid = self->session->live.process.pid;
    if (self->late_ms == 0)
        self->late_ms = now;
    if (now - self->late_ms < GRACE_MS) {
        /* Only if this process belongs to the program. */
        if (pid > 0 && getpgid(pid) == self->child.pid)
            sigqueue(pid, SESSION_STEP_SIGNAL,
                     session_step_value(heartbeat, pace_is_asleep(&self->pace)));
        return;
    }
    self->step_killed = true;
    child_kill(&self->child);
}

static void check_movement(struct supervisor *self, uint64_t now) {
    const struct session *session = self->session;
    uint64_t heartbeat = session->live.heartbeat;
    uint64_t mark = heartbeat + session->result.counters.steps + progress(session) +
                    ((uint64_t)session->live.phase << 56);
    if (mark != self->mark) {
        self->mark = mark;
        self->mark_ms = now;
        self->late_ms = 0;
        pace_moved(&self->pace, session->live.process.pid, now);
        return;
    }
    pace_look(&self->pace, session->live.process.pid, now);
    uint64_t idle_ms = now - self->mark_ms, limit_ms = session->request.options.step_timeout_ms;
    if (session->live.phase == PHASE_STARTING && idle_ms > START_MS) {
        child_kill(&self->child);
        fail(self, VERDICT_UNSUPPORTED, "%s did not reach main within %d s",
             self->result->plan->path, START_MS / 1000);
    } else if (session->live.process.in_program && idle_ms > limit_ms) {
        if (self->late_ms || pace_idle_ms(&self->pace) > limit_ms)
            step_timed_out(self, heartbeat, now);
    } else if (!session->live.process.in_program && session->live.phase != PHASE_STARTING &&
               idle_ms > IDLE_MS + limit_ms) {
        child_kill(&self->child);
        fail(self, VERDICT_ERROR, "the runtime makes no progress any more");
    }
}

/* --- the loop --- */

/* Returns true if the session may still be read. If not, the program is killed first, because it
 * might go on. */
static bool check_session(struct supervisor *self) {
    if (sound_check(&self->sound, self->session))
        return true;
    end_child(self);
    sound_restore(&self->sound, self->session);
    fail(self, VERDICT_ERROR, "the program wrote over the memory that it shares with Heddle");
    return false;
}

/* Handles damage that sound_check does not notice. Traces that were written stay. The program dies
 * with the supervisor. */
static void session_is_garbled(int signal) {
    static const char text[] = "heddle: the program wrote over the session that it shares with "
                               "Heddle; what was found before is in the traces\n";
    (void)signal;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(verdict_info(VERDICT_ERROR)->exit_code);
}

/* The signals stay blocked. When the search is over, all findings are printed and written, however
 * often a stop is requested (timeout(1) sends two signals shortly after each other). */
static int open_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void wait_for_something(struct supervisor *self, int timeout_ms) {
    struct pollfd fds[] = {{self->child.out, POLLIN, 0},
                           {self->child.err, POLLIN, 0},
                           {self->signals, POLLIN, 0},
                           {self->result->watches_input ? STDIN_FILENO : -1, POLLIN, 0}};
    if (poll(fds, 4, timeout_ms) <= 0)
        return;
    if (fds[0].revents)
        output_forward(&self->child.out, STDOUT_FILENO);
    if (fds[1].revents)
        output_forward(&self->child.err, STDERR_FILENO);
    if (fds[2].revents)
        take_signals(self);
}

/* The work on findings does not count as time of the search in the report. --timeout counts
 * both. */
static void tick(struct supervisor *self) {
    uint64_t before_ms = now_ms();
    self->result->tick(self->result->context);
    uint64_t apart_ms = now_ms() - before_ms;
    self->started_ms += apart_ms;
    self->apart_ms += apart_ms;
}

static void loop(struct supervisor *self) {
    while (!self->over) {
        wait_for_something(self, TICK_MS);
        if (!check_session(self))
            break;
        tick(self);
        if (self->over || self->result->quit)
            break;
        uint64_t now = now_ms();
        check_time(self, now);
        check_movement(self, now);
    }
}

/* Takes the signals that came during the work on the last findings. */
static void take_late_signals(struct supervisor *self) {
    struct signalfd_siginfo info;
    while (read(self->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD)
            note_stop(self->session, STOPPED_BY_INTERRUPT);
}

void supervise(struct supervision *supervision) {
    struct supervisor self = {
        .result = supervision, .session = supervision->session, .child = {.out = -1, .err = -1}};
    self.signals = open_signals();
    signal(SIGSEGV, session_is_garbled);
    signal(SIGBUS, session_is_garbled);
    self.started_ms = self.mark_ms = now_ms();
    sound_init(&self.sound, supervision->session);
    supervision->session->result.unseen.accesses = !supervision->linked;
    if (self.signals < 0)
        fail(&self, VERDICT_UNSUPPORTED, "cannot wait for the program: %s", say_reason(errno));
    else
        start(&self);
    loop(&self);
    end_child(&self);
    output_drain(&self.child);
    tick(&self);
    take_late_signals(&self);
    supervision->seconds = (double)(now_ms() - self.started_ms) / 1000;
    if (self.signals >= 0)
        close(self.signals);
}

void supervise_excuse_kill(struct session *session) {
    struct result *result = &session->result;
    if (!result->difference.text[0] || !supervise_from_outside(session->live.death.signal))
        return;
    result->difference.text[0] = '\0';
    if (!result->failure.text[0] || result->failure.outside) {
        result->failure = (struct failure){.verdict = VERDICT_BUDGET, .outside = true};
        snprintf(result->failure.text, sizeof result->failure.text, "%s", KILLED);
    }
}
