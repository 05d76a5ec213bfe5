/* streams.c - see streams.h.
 *
 * The signal handlers do nothing. They are handlers, and not SIG_IGN, so that a program that the
 * tool starts has the default action again, without further calls. A signal that the caller ignores
 * stays ignored, in the tool and in the program. */
#define _GNU_SOURCE
#include "cli/base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/say.h"

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
        /* open() returns the lowest free number, which is this one, because those below are
         * open. */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return EXIT_UNSUPPORTED;
    return 0;
}

/* Returns true if the reader of the pipe has gone. */
static bool nobody_reads(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int streams_close(int code) {
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int why = failed ? errno : 0; /* an earlier failure sets only the error flag of the stream */
    if ((!failed && !ferror(stdout)) || nobody_reads())
        return code;
    say_error(0, "standard output: %s", why ? strerror(why) : "not all could be written");
    return code == 0 ? EXIT_INTERNAL : code;
}
