/* session.c - see session.h. */
#define _GNU_SOURCE
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

static void *map_file(int fd) {
    void *at = mmap(SESSION_ADDRESS, SESSION_SIZE, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
    if (at != MAP_FAILED && at != SESSION_ADDRESS) { /* a kernel older than NOREPLACE */
        munmap(at, SESSION_SIZE);
        errno = EEXIST;
        return MAP_FAILED;
    }
    return at;
}

struct session *session_create(int *fd) {
    *fd = memfd_create("heddle-session", MFD_CLOEXEC);
    if (*fd < 0 || ftruncate(*fd, (off_t)SESSION_SIZE) != 0)
        return NULL;
    void *at = map_file(*fd);
    if (at == MAP_FAILED)
        return NULL;
    struct session *session = at;
    size_t head = (sizeof *session + 4095) & ~(size_t)4095;
    session->pool = pool_init((char *)at + head, SESSION_SIZE - head);
    session->size = sizeof *session;
    session->magic = SESSION_MAGIC;
    session->live.phase = PHASE_STARTING;
    session->result.search.begun = true;
    execution_init(&session->request.replay, session->pool);
    execution_init(&session->result.minimised.smallest, session->pool);
    execution_init(&session->result.minimised.passing, session->pool);
    return session;
}

/* A debugger runs the program again and again, each time with the session as it was. So the session
 * is mapped privately, and what the program writes to it is lost when the program ends. */
static struct session *make_private(struct session *session, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *at = mmap(session, SESSION_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

static char attached_path[PATH_MAX]; /* of the file that session_attach has mapped */

bool session_leave(struct session *session) {
    return make_private(session, attached_path) != NULL;
}

struct session *session_attach(const char *path) {
    snprintf(attached_path, sizeof attached_path, "%s", path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct session *session = map_file(fd);
    close(fd);
    if (session == MAP_FAILED)
        return NULL;
    if (session->magic != SESSION_MAGIC || session->size != sizeof *session) {
        munmap(session, SESSION_SIZE);
        return NULL;
    }
    return session->request.options.debugged ? make_private(session, path) : session;
}
