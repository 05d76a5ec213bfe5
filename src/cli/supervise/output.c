/* output.c - see output.h. */
#include "cli/supervise/output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void output_forward(int *from, int to) {
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

void output_drain(struct child *child) {
    struct pollfd fds[2];
    do {
        fds[0] = (struct pollfd){child->out, POLLIN, 0};
        fds[1] = (struct pollfd){child->err, POLLIN, 0};
        if (poll(fds, 2, 0) <= 0)
            break;
        if (fds[0].revents)
            output_forward(&child->out, STDOUT_FILENO);
        if (fds[1].revents)
            output_forward(&child->err, STDERR_FILENO);
    } while (child->out >= 0 || child->err >= 0);
    if (child->out >= 0)
        close(child->out);
    if (child->err >= 0)
        close(child->err);
    child->out = child->err = -1;
}
