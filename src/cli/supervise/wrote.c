/* wrote.c - see wrote.h. */
#define _GNU_SOURCE
#include "cli/supervise/wrote.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "trace/file.h"

enum { KEPT_BYTES = 4096, KEPT_LINES = 20, POLL_MS = 50, CAME_AGAIN = 1 };
static const char TOOL[] = "/proc/self/exe";

/* The last bytes of an output. */
struct tail {
    char text[KEPT_BYTES + 1];
    size_t length;
    bool cut; /* bytes before these were dropped */
};

static bool tells_little(const struct finding *finding) {
    return finding->kind == FINDING_EXIT || finding->kind == FINDING_ASSERTION ||
           finding->kind == FINDING_CRASH;
}

static _Noreturn void become(const char *path, int to, pid_t parent) {
    const char *const words[] = {say_tool(), "replay", "--quiet", "--", path, NULL};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    execv(TOOL, (char *const *)words);
    _exit(0);
}

static void keep(struct tail *tail, const char *bytes, size_t count) {
    if (count > KEPT_BYTES) {
        bytes += count - KEPT_BYTES;
        count = KEPT_BYTES;
        tail->length = 0;
        tail->cut = true;
    }
    if (tail->length + count > KEPT_BYTES) {
        size_t lost = tail->length + count - KEPT_BYTES;
        memmove(tail->text, tail->text + lost, tail->length - lost);
        tail->length -= lost;
        tail->cut = true;
    }
    memcpy(tail->text + tail->length, bytes, count);
    tail->length += count;
}

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool end_is_wanted(uint64_t end_ms) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
           sigismember(&pending, SIGHUP) || now_ms() >= end_ms;
}

/* Reads the output up to its end. Returns false if the time was over before. */
static bool read_all(int from, pid_t pid, uint64_t end_ms, struct tail *tail) {
    char bytes[8192];
    bool told = false;
    for (;;) {
        struct pollfd wanted = {.fd = from, .events = POLLIN};
        if (poll(&wanted, 1, POLL_MS) > 0) {
            ssize_t count = read(from, bytes, sizeof bytes);
            if (count <= 0)
                return !told;
            keep(tail, bytes, (size_t)count);
        }
        if (!told && end_is_wanted(end_ms)) {
            kill(pid, SIGTERM);
            told = true;
        }
    }
}

static bool replay(const char *path, uint64_t end_ms, struct tail *tail) {
    int ends[2], status = 0;
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        become(path, ends[1], parent);
    close(ends[1]);
    bool whole = pid > 0 && read_all(ends[0], pid, end_ms, tail);
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    return whole && WIFEXITED(status) && WEXITSTATUS(status) == CAME_AGAIN;
}

/* The message of a failed assertion of the C library is the text of the finding already. */
static bool says_nothing_new(const struct trace *trace, const char *line) {
    return line[0] == '\0' ||
           (trace->finding.kind == FINDING_ASSERTION && strstr(line, ": Assertion `") != NULL);
}

/* Returns the first complete line among the last ones. */
static char *first_line(struct tail *tail) {
    char *at = tail->text;
    uint32_t lines = 0;
    tail->text[tail->length] = '\0';
    for (size_t i = 0; i < tail->length; i++) {
        if (tail->text[i] == '\0')
            tail->text[i] = ' ';
        lines += tail->text[i] == '\n';
    }
    lines += tail->length > 0 && tail->text[tail->length - 1] != '\n';
    for (; lines > KEPT_LINES || (tail->cut && lines > 1); lines--, tail->cut = false)
        at = strchr(at, '\n') + 1;
    return at;
}

static void add_lines(struct trace *trace, char *text) {
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (says_nothing_new(trace, line))
            continue;
        const char **added = TRACE_ADD(trace->wrote, trace->wrote_count);
        *added = trace_copy(trace, line);
    }
}

void wrote_capture(struct trace *trace, const char *path, uint32_t timeout_ms) {
    static struct tail tail;
    char error[PATH_MAX + 200];
    tail = (struct tail){.length = 0};
    if (!trace_fails(trace) || !tells_little(&trace->finding) || trace->finding.early ||
        trace->wrote_count > 0 || !replay(path, now_ms() + timeout_ms, &tail))
        return;
    add_lines(trace, first_line(&tail));
    if (trace->wrote_count > 0 && !trace_write(trace, path, error, sizeof error))
        say_error(0, "%s", error);
}
