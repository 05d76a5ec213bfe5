/* session.c - see session.h. Uses raw system calls only where the tested program runs it. */
#define _GNU_SOURCE
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
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
    session->phase = PHASE_STARTING;
    execution_init(&session->replay, session->pool);
    execution_init(&session->minimised.smallest, session->pool);
    execution_init(&session->minimised.passing, session->pool);
    return session;
}

/* A debugger runs the program again and again, each time from the same session: so what the program
 * writes stays its own. */
static struct session *make_private(struct session *session, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *at = mmap(session, SESSION_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

struct session *session_attach(const char *path) {
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
    return session->options.debugged ? make_private(session, path) : session;
}

static void enter_call(struct ledger_entry *entry, const char *call, const char *why, uint64_t pc) {
    strncpy(entry->call, call, sizeof entry->call - 1);
    strncpy(entry->why, why, sizeof entry->why - 1);
    entry->pc = pc;
    entry->count = 1;
}

void session_uncontrolled(struct session *session, const char *call, const char *why, uint64_t pc) {
    for (uint32_t i = 0; i < session->ledger_count; i++) {
        struct ledger_entry *entry = &session->ledger[i];
        if (entry->pc == pc && strcmp(entry->call, call) == 0) {
            entry->count++;
            return;
        }
    }
    if (session->ledger_count < SESSION_LEDGER)
        enter_call(&session->ledger[session->ledger_count++], call, why, pc);
}

void session_narrowed(struct session *session, const char *call, const char *why, uint64_t pc) {
    session_uncontrolled(session, call, why, pc);
    if (session->narrowed.count == 0)
        enter_call(&session->narrowed, call, why, pc);
}
