/* minimiser.c - see minimiser.h. The minimiser has a process group of its own, so that Ctrl-C
 * reaches the run only, and the run passes it on once. */
#define _GNU_SOURCE
#include "cli/run/minimiser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/say.h"

/* Most programs need less than half a second. The limit is for slow ones. */
#define EXECUTIONS "--max-executions=5000"
static const char TOOL[] = "/proc/self/exe";

enum { CANNOT_START = 127, POLL_MS = 5 };

static _Noreturn void become(const char *path, uint32_t timeout_ms, pid_t parent) {
    char time[40];
    const char *const words[] = {say_tool(), "min", "--quiet", EXECUTIONS, time, "--", path, NULL};
    snprintf(time, sizeof time, "--timeout=%ums", timeout_ms);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANNOT_START);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int stream = 0; nothing >= 0 && stream <= STDERR_FILENO; stream++)
        dup2(nothing, stream);
    execv(TOOL, (char *const *)words);
    _exit(CANNOT_START);
}

static bool end_is_wanted(void) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
           sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT);
}

bool minimiser_run(const char *path, uint32_t timeout_ms, struct progress *progress) {
    pid_t parent = getpid(), pid = fork(), ended = 0;
    int status = 0;
    bool told = false;
    if (pid == 0)
        become(path, timeout_ms, parent);
    while (pid > 0 && (ended = waitpid(pid, &status, WNOHANG)) == 0) {
        if (!told && end_is_wanted()) {
            kill(pid, SIGTERM);
            told = true;
        }
        progress_say(progress, "found a bug; looking for a smaller schedule (Ctrl-C: as it is)");
        poll(NULL, 0, POLL_MS);
    }
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
