/* streams.c - see streams.h.
 *
 * The handlers do nothing. They are handlers, and not SIG_IGN, since a program that we start then has the default again
 * without a word of ours. What the caller ignores stays ignored, here and there. */
#define _GNU_SOURCE
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"

static void nothing(int signal) {
    (void)signal;
}

static void make_harmless(int signal) {
    struct sigaction before, after = {.sa_handler = nothing, .sa_flags = SA_RESTART};
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(signal, &after, NULL);
}

int streams_open(void) {
    make_harmless(SIGPIPE);
    make_harmless(SIGXFSZ);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        /* The lowest free number is this one, since those below are open. */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return EXIT_UNSUPPORTED;
    return 0;
}

/* Whether the reader of a pipe has left. */
static bool nobody_reads(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int streams_close(int code) {
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int why = failed ? errno : 0; /* an earlier failure has left a mark only */
    if ((!failed && !ferror(stdout)) || nobody_reads())
        return code;
    say_error(0, "standard output: %s", why ? strerror(why) : "not all could be written");
    return code == 0 ? EXIT_INTERNAL : code;
}
