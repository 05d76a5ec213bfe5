/* child.c - see child.h.
 *
 * The program gets its own process session, so that Ctrl-C reaches only the supervisor. It dies
 * with the supervisor, has no address randomisation, and reads from /dev/null. It writes to
 * /dev/null or to a pipe, never to a terminal, because buffering must not depend on the kind of
 * output. The runtime library is always preloaded: a program that was linked to it then uses the
 * library of this tool. */
#define _GNU_SOURCE
#include "cli/supervise/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/base/paths.h"
#include "cli/base/say.h"
#include "engine/session.h"

extern char **environ;

/* The entry has a fixed length for all numbers, because the length of the environment moves the
 * initial stack. */
static char *session_entry(int fd) {
    enum { PATH_WIDTH = 40 };
    char path[PATH_WIDTH + 1], padding[PATH_WIDTH + 1];
    int length = snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), fd);
    memset(padding, '/', sizeof padding);
    char *entry = NULL;
    int written =
        asprintf(&entry, "%s=%.*s%s", SESSION_VARIABLE, PATH_WIDTH - length, padding, path);
    CHECK(written > 0);
    return entry;
}

static char *preload_entry(void) {
    const char *library = paths_library(), *before = getenv("LD_PRELOAD");
    bool more = before && *before;
    char *entry = NULL;
    int written = asprintf(&entry, "LD_PRELOAD=%s%s%s", library ? library : "", more ? ":" : "",
                           more ? before : "");
    CHECK(written > 0);
    return entry;
}

static bool is_ours(const char *entry) {
    return strncmp(entry, "LD_PRELOAD=", strlen("LD_PRELOAD=")) == 0 ||
           (strncmp(entry, SESSION_VARIABLE, strlen(SESSION_VARIABLE)) == 0 &&
            entry[strlen(SESSION_VARIABLE)] == '=');
}

/* Functions are bound at start. With lazy binding, a reset would undo it, and each execution would
 * bind again. */
static char *bind_entry(void) {
    char *entry = strdup("LD_BIND_NOW=1");
    CHECK(entry);
    return entry;
}

char **child_environment(int session_fd) {
    size_t count = 0, used = 0;
    while (environ[count] != NULL)
        count++;
    char **entries = calloc(count + 4, sizeof *entries);
    CHECK(entries);
    entries[used++] = session_entry(session_fd);
    entries[used++] = preload_entry();
    entries[used++] = bind_entry();
    for (size_t i = 0; i < count; i++)
        if (!is_ours(environ[i])) {
            entries[used] = strdup(environ[i]);
            CHECK(entries[used++]);
        }
    return entries;
}

int child_session(struct session **session, int *session_fd) {
    if (paths_library() == NULL)
        return say_error(EXIT_INTERNAL, "libheddle.so was not found beside the tool "
                                        "or in HEDDLE_LIBDIR");
    *session = session_create(session_fd);
    if (*session == NULL)
        return say_error(EXIT_UNSUPPORTED, "cannot make the shared session: %s", say_reason(errno));
    return 0;
}

void child_session_end(struct session *session, int session_fd) {
    if (session != NULL)
        munmap(session, SESSION_SIZE);
    if (session_fd >= 0)
        close(session_fd);
}

/* --- in the new process --- */

/* What failed before the program was executed. It is sent through a pipe, which a successful exec
 * closes. */
struct start_failure {
    char step[64];
    int error;
};

static _Noreturn void give_up(int report, const char *step) {
    struct start_failure failure = {.error = errno};
    snprintf(failure.step, sizeof failure.step, "%s", step);
    if (write(report, &failure, sizeof failure) < 0)
        _exit(126);
    _exit(127);
}

static void redirect(int report, int fd, int to) {
    if (fd < 0 || dup2(fd, to) < 0)
        give_up(report, "redirecting its output");
}

static void connect_streams(int report, const int out[2], const int err[2]) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    redirect(report, nothing, STDIN_FILENO);
    redirect(report, out[1] >= 0 ? out[1] : nothing, STDOUT_FILENO);
    redirect(report, err[1] >= 0 ? err[1] : nothing, STDERR_FILENO);
}

static bool randomisation_is_off(void) {
    int setting = -1;
    FILE *file = fopen("/proc/sys/kernel/randomize_va_space", "re");
    if (file != NULL) {
        if (fscanf(file, "%d", &setting) != 1)
            setting = -1;
        fclose(file);
    }
    return setting == 0;
}

static void fix_addresses(int report) {
    int persona = personality(0xffffffff);
    if (personality((unsigned long)persona | ADDR_NO_RANDOMIZE) < 0 && !randomisation_is_off())
        give_up(report, "switching address randomisation off");
}

static _Noreturn void become(const struct child_plan *plan, int report, pid_t parent,
                             const int out[2], const int err[2]) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the supervisor died before prctl */
        _exit(127);
    connect_streams(report, out, err);
    fix_addresses(report);
    if (plan->directory != NULL && chdir(plan->directory) != 0)
        give_up(report, plan->directory);
    execve(plan->path, plan->arguments, plan->environment);
    give_up(report, "executing it");
}

/* --- in the supervisor --- */

static void close_pipe(int pipe[2]) {
    for (int i = 0; i < 2; i++)
        if (pipe[i] >= 0)
            close(pipe[i]);
}

/* Returns true if the program is running; if not, `error` says why. */
static bool await_start(int report, const char *path, char *error, size_t size) {
    struct start_failure failure;
    ssize_t length;
    do
        length = read(report, &failure, sizeof failure);
    while (length < 0 && errno == EINTR);
    if (length != sizeof failure)
        return true;
    snprintf(error, size, "cannot start %s: %s: %s", path, failure.step, say_reason(failure.error));
    return false;
}

bool child_start(struct child *child, const struct child_plan *plan, char *error, size_t size) {
    int report[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    pid_t parent = getpid();
    bool pipes = pipe2(report, O_CLOEXEC) == 0 &&
                 (!plan->output || (pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0));
    child->pid = pipes ? vfork() : -1; /* vfork copies no memory, which exec would throw away */
    if (child->pid == 0)
        become(plan, report[1], parent, out, err);
    if (child->pid < 0) {
        snprintf(error, size, "cannot start %s: %s", plan->path, say_reason(errno));
        close_pipe(report);
        close_pipe(out);
        close_pipe(err);
        return false;
    }
    close(report[1]);
    if (plan->output) {
        close(out[1]);
        close(err[1]);
    }
    child->out = out[0];
    child->err = err[0];
    bool started = await_start(report[0], plan->path, error, size);
    close(report[0]);
    return started;
}

void child_kill(const struct child *child) {
    if (child->pid <= 0)
        return;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
}
