/* minimiser.c - see minimiser.h. It gets a process group of its own, so that Ctrl-C reaches the run, which
 * passes it on once. */
#define _GNU_SOURCE
#include "cli/minimiser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/say.h"

/* Most programs need less than half a second for that. The second bound is for those that are slow. */
#define EXECUTIONS "--max-executions=5000"
#define TIME "--timeout=3s"
static const char TOOL[] = "/proc/self/exe";

enum { CANNOT_START = 127, POLL_MS = 5 };

static _Noreturn void become(const char *path, pid_t parent) {
    const char *const words[] = {say_tool(), "min", "--quiet", EXECUTIONS, TIME, "--", path, NULL};
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
           sigismember(&pending, SIGHUP);
}

bool minimiser_run(const char *path) {
    pid_t parent = getpid(), pid = fork(), ended = 0;
    int status = 0;
    bool told = false;
    if (pid == 0)
        become(path, parent);
    while (pid > 0 && (ended = waitpid(pid, &status, WNOHANG)) == 0) {
        if (!told && end_is_wanted()) {
            kill(pid, SIGTERM);
            told = true;
        }
        poll(NULL, 0, POLL_MS);
    }
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
