/* supervise.c - see supervise.h.
 *
 * One loop around poll: signals (of the user and of children) and the program's output wake it up,
 * and every 20 ms it looks at the session. What it looks for:
 *
 *   the child ended   within an execution: another process goes on with the search
 *   no movement       while program code runs: the step signal turns it into a divergence; it is sent
 *                     again and again, since the runtime ignores it within its own code; what does not
 *                     react for GRACE_MS is killed and started again
 *   --timeout, ^C     the session is asked to stop, and killed after GRACE_MS, or after STEP_GRACE_MS if it is the
 *                     program that does not get on, or has not come to main
 *
 * Heddle never restarts for ever: a process must bring the search forward before it may die. */
#define _GNU_SOURCE
#include "cli/supervise.h"

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

#include "base/check.h"
#include "cli/pace.h"
#include "cli/paths.h"
#include "cli/say.h"
#include "cli/sound.h"

enum {
    TICK_MS = 20,
    GRACE_MS = 2000,
    STEP_GRACE_MS = 100, /* for the step under way, once the end is wanted */
    START_MS = 30000,    /* up to main */
    IDLE_MS = 60000,     /* our own code between two steps */
    RESTARTS_IDLE_MAX = 3,
};

struct supervisor {
    struct supervision *result;
    struct session *session;
    struct child child;
    int signals; /* signalfd */
    uint64_t started_ms;
    uint64_t apart_ms;      /* not of the search: what was done with findings */
    uint64_t stop_ms;       /* when the end was first wanted, or 0 */
    uint64_t mark, mark_ms; /* what moved last, and when it was seen to */
    uint64_t late_ms;       /* since when a step has taken too long, or 0 */
    struct pace pace;
    uint64_t restart_mark;  /* how far the search was at the last restart */
    uint32_t restarts_idle; /* restarts without progress in between */
    struct sound sound;
    bool step_killed; /* by us, since it did not move */
    bool over;
};

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

__attribute__((format(printf, 3, 4))) static void
fail(struct supervisor *self, enum verdict verdict, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->result->error, sizeof self->result->error, format, arguments);
    va_end(arguments);
    self->result->end = END_FAILED;
    self->result->verdict = verdict;
    self->over = true;
}

/* --- the program's output --- */

/* Copies what there is; at the end of the stream closes it. */
static void forward(int *from, int to) {
    char buffer[65536];
    ssize_t length = read(*from, buffer, sizeof buffer);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (length <= 0) {
        close(*from);
        *from = -1;
        return;
    }
    for (ssize_t done = 0, written = 1; done < length && written > 0; done += written)
        written = write(to, buffer + done, (size_t)(length - done));
}

/* What the program wrote before its end. Whoever else holds the pipe open is not waited for. */
static void drain(struct supervisor *self) {
    struct pollfd fds[2];
    do {
        fds[0] = (struct pollfd){self->child.out, POLLIN, 0};
        fds[1] = (struct pollfd){self->child.err, POLLIN, 0};
        if (poll(fds, 2, 0) <= 0)
            break;
        if (fds[0].revents)
            forward(&self->child.out, STDOUT_FILENO);
        if (fds[1].revents)
            forward(&self->child.err, STDERR_FILENO);
    } while (self->child.out >= 0 || self->child.err >= 0);
    if (self->child.out >= 0)
        close(self->child.out);
    if (self->child.err >= 0)
        close(self->child.err);
    self->child.out = self->child.err = -1;
}

/* --- starting and ending processes --- */

static void start(struct supervisor *self) {
    char error[sizeof self->result->error];
    self->mark_ms = now_ms();
    self->mark = ~self->mark; /* a new process is a movement */
    self->step_killed = false;
    if (!child_start(&self->child, self->result->plan, error, sizeof error))
        fail(self, VERDICT_UNSUPPORTED, "%s", error);
}

/* Of the tested program, all its processes together; whoever compiled an explorer is none of them. */
static void note_usage(struct supervision *supervision, const struct rusage *usage) {
    supervision->cpu_seconds += (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                                (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
    if ((uint64_t)usage->ru_maxrss > supervision->memory_kb)
        supervision->memory_kb = (uint64_t)usage->ru_maxrss;
}

/* How it ended. */
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
    const struct session_counters *counters = &session->counters;
    return session_begun(counters) + counters->transitions + session->finding_count +
           (session->phase == PHASE_CONFIRMING);
}

static void describe_end(int status, char *text, size_t size) {
    if (WIFSIGNALED(status))
        snprintf(text, size, "by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "with exit status %d", WEXITSTATUS(status));
}

/* Without a sign of the runtime, nobody can tell a program that ends in a constructor from one into
 * which the runtime could not be loaded. */
static void ended_before_main(struct supervisor *self, int status) {
    bool preloaded = self->session->pid == 0 && !self->result->linked;
    char how[80];
    if (self->session->pid == 0 && WIFEXITED(status) && WEXITSTATUS(status) == SESSION_REFUSED) {
        fail(self, VERDICT_ERROR, "%s is of another build than this tool", paths_library());
        return;
    }
    describe_end(status, how, sizeof how);
    fail(self, VERDICT_UNSUPPORTED, "%s ended before main, %s%s", self->result->plan->path, how,
         preloaded ? "; or it is not linked to Heddle's runtime and cannot be preloaded" : "");
}

/* The program died within an execution: the next process goes on behind that. */
static void restart(struct supervisor *self, int status) {
    struct session *session = self->session;
    uint64_t reached = progress(session);
    bool moved = reached != self->restart_mark && !session->died;
    self->restarts_idle = moved ? 0 : self->restarts_idle + 1;
    self->restart_mark = reached;
    char how[80];
    describe_end(status, how, sizeof how);
    if (self->restarts_idle > RESTARTS_IDLE_MAX) {
        fail(self, VERDICT_ERROR,
             "the program ended %s again and again, and the search does not "
             "get on",
             how);
        return;
    }
    session->died_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (self->step_killed)
        session->died_signal = SESSION_STEP_SIGNAL;
    session->died = true;
    drain(self);
    start(self);
}

/* Killed from outside while our own code ran: what it was about to write is half done. */
static bool killed_inside(const struct supervisor *self, int status) {
    const struct session *session = self->session;
    return WIFSIGNALED(status) && supervise_from_outside(WTERMSIG(status)) && !self->step_killed &&
           (!session->in_program || session->phase == PHASE_BETWEEN);
}

static void child_ended(struct supervisor *self, int status) {
    const struct session *session = self->session;
    char how[80];
    describe_end(status, how, sizeof how);
    if (session->phase == PHASE_DONE || session->error[0] || self->result->end != END_DONE)
        self->over = true;
    else if (session->phase == PHASE_STARTING)
        ended_before_main(self, status);
    else if (killed_inside(self, status))
        fail(self, VERDICT_BUDGET, KILLED);
    else if (session->phase == PHASE_BETWEEN)
        fail(self, VERDICT_ERROR, "the runtime ended %s between two executions", how);
    else
        restart(self, status);
}

/* Whatever the program started ends with it. It is killed while the group cannot be another one yet:
 * before the wait that gives its number free. */
static void reap(struct supervisor *self) {
    siginfo_t info = {0};
    pid_t pid = self->child.pid;
    if (pid <= 0 || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != pid)
        return;
    child_kill(&self->child);
    child_ended(self, wait_for_child(self));
}

/* --- what the user wants --- */

/* The second request does not wait for the end of the execution under way. */
static void stop(struct supervisor *self, enum supervise_end why) {
    if (self->session->stop)
        child_kill(&self->child);
    else
        self->stop_ms = now_ms();
    if (self->result->end == END_DONE)
        self->result->end = why;
    self->session->stop = true;
}

static void take_signals(struct supervisor *self) {
    struct signalfd_siginfo info;
    while (read(self->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo == SIGCHLD)
            reap(self);
        else
            stop(self, END_INTERRUPTED);
}

/* An execution may come to its end yet, but a step of the program that has not ended by now is not waited for. What is
 * killed there has nothing half done in the session. */
static bool patience_is_over(const struct supervisor *self, uint64_t now) {
    const struct session *session = self->session;
    uint64_t since = self->mark_ms > self->stop_ms ? self->mark_ms : self->stop_ms;
    bool ours = !session->in_program && session->phase != PHASE_STARTING;
    return now - self->stop_ms >= GRACE_MS || (!ours && now - since >= STEP_GRACE_MS);
}

static void check_time(struct supervisor *self, uint64_t now) {
    uint32_t timeout_ms = self->session->options.timeout_ms;
    if (self->result->from_main && self->session->phase == PHASE_STARTING)
        self->started_ms = now;
    if (timeout_ms && now - self->started_ms + self->apart_ms >= timeout_ms && !self->session->stop)
        stop(self, END_TIMEOUT);
    if (self->stop_ms && patience_is_over(self, now))
        child_kill(&self->child);
}

/* --- what does not move --- */

static void step_timed_out(struct supervisor *self, uint64_t now) {
    pid_t pid = self->session->pid;
    if (self->late_ms == 0)
        self->late_ms = now;
    if (now - self->late_ms < GRACE_MS) {
        if (pid > 0 && getpgid(pid) == self->child.pid) /* it is the program that says so */
            sigqueue(pid, SESSION_STEP_SIGNAL,
                     (union sigval){.sival_int = pace_is_asleep(&self->pace)});
        return;
    }
    self->step_killed = true;
    child_kill(&self->child);
}

static void check_movement(struct supervisor *self, uint64_t now) {
    const struct session *session = self->session;
    uint64_t mark = session->heartbeat + session->counters.steps + progress(session) +
                    ((uint64_t)session->phase << 56);
    if (mark != self->mark) {
        self->mark = mark;
        self->mark_ms = now;
        self->late_ms = 0;
        pace_moved(&self->pace, session->pid, now);
        return;
    }
    pace_look(&self->pace, session->pid, now);
    uint64_t idle_ms = now - self->mark_ms, limit_ms = session->options.step_timeout_ms;
    if (session->phase == PHASE_STARTING && idle_ms > START_MS) {
        child_kill(&self->child);
        fail(self, VERDICT_UNSUPPORTED, "%s did not come to main within %d s",
             self->result->plan->path, START_MS / 1000);
    } else if (session->in_program && idle_ms > limit_ms) {
        if (self->late_ms || pace_idle_ms(&self->pace) > limit_ms)
            step_timed_out(self, now);
    } else if (!session->in_program && session->phase != PHASE_STARTING &&
               idle_ms > IDLE_MS + limit_ms) {
        child_kill(&self->child);
        fail(self, VERDICT_ERROR, "the runtime does not get on any more");
    }
}

/* --- the loop --- */

/* Whether we may still look at the session. If not, the program is killed first: it might go on. */
static bool check_session(struct supervisor *self) {
    if (sound_check(&self->sound, self->session))
        return true;
    end_child(self);
    sound_restore(&self->sound, self->session);
    fail(self, VERDICT_ERROR, "the program wrote over the memory that it shares with Heddle");
    return false;
}

/* What sound_check cannot see. Traces that were written stay; the program dies with us. */
static void session_is_garbled(int signal) {
    static const char text[] = "heddle: the program wrote over the session that it shares with "
                               "Heddle; what was found before is in the traces\n";
    (void)signal;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(verdict_info(VERDICT_ERROR)->exit_code);
}

/* They stay blocked: once the search is over, all that was found is said and written, however often the end
 * is asked for (timeout(1) asks twice, in short order). */
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
        forward(&self->child.out, STDOUT_FILENO);
    if (fds[1].revents)
        forward(&self->child.err, STDERR_FILENO);
    if (fds[2].revents)
        take_signals(self);
}

/* What is done with findings takes none of the time that is told of the search; --timeout is for both. */
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

/* Those that came while the last findings were dealt with. */
static void take_late_signals(struct supervisor *self) {
    struct signalfd_siginfo info;
    while (read(self->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD && self->result->end == END_DONE)
            self->result->end = END_INTERRUPTED;
}

void supervise(struct supervision *supervision) {
    struct supervisor self = {
        .result = supervision, .session = supervision->session, .child = {.out = -1, .err = -1}};
    self.signals = open_signals();
    signal(SIGSEGV, session_is_garbled);
    signal(SIGBUS, session_is_garbled);
    self.started_ms = self.mark_ms = now_ms();
    sound_init(&self.sound, supervision->session);
    supervision->end = END_DONE;
    if (self.signals < 0)
        fail(&self, VERDICT_UNSUPPORTED, "cannot wait for the program: %s", say_reason(errno));
    else
        start(&self);
    loop(&self);
    end_child(&self);
    drain(&self);
    tick(&self);
    take_late_signals(&self);
    supervision->seconds = (double)(now_ms() - self.started_ms) / 1000;
    if (self.signals >= 0)
        close(self.signals);
}

void supervise_pass_time(const struct supervision *supervision, struct options *options) {
    uint32_t limit = options->timeout_ms, spent = (uint32_t)(1000 * supervision->seconds);
    if (limit)
        options->timeout_ms = limit > spent ? limit - spent : 1;
}

static void add_library(char *libraries, const char *library) {
    size_t used = strnlen(libraries, LIBRARIES_TEXT - 1);
    snprintf(libraries + used, LIBRARIES_TEXT - used, "%s%.*s", used > 0 ? ":" : "",
             LIBRARY_TEXT - 1, library);
}

bool supervise_again(const struct supervision *supervision, struct options *options) {
    enum lacking lacks = supervision->session->lacks;
    if (lacks == LACKS_NOTHING || supervision->end != END_DONE)
        return false;
    supervise_pass_time(supervision, options);
    options->shared_stacks |= lacks == LACKS_SHARED_STACKS;
    options->thread_ends |= lacks == LACKS_THREAD_ENDS;
    options->last_end |= lacks == LACKS_LAST_END;
    options->cycles |= lacks == LACKS_CYCLES;
    if (lacks == LACKS_LIBRARY)
        add_library(options->libraries, supervision->session->library);
    return true;
}
