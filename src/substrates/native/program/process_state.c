/* process_state.c - the state of the process that the kernel keeps and a program can change: the
 * file mode mask, the current folder, the resource limits. The first change in an execution
 * notes the value before, and the next execution begins with that value. These calls are no
 * operations: their order among the steps of other tasks is not explored, and the ledger names
 * them. */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/outcome.h"

#define PROCESS_WIDE "is no operation: its order among other tasks is not explored"

static struct {
    bool mask_changed, folder_changed;
    uint32_t limits_changed; /* a bit for each limit */
    mode_t mask;
    int folder; /* a descriptor, kept open; 0: none yet */
    struct rlimit limits[RLIM_NLIMITS];
} before;

void process_state_put_back(void) {
    if (before.mask_changed)
        native_syscall(SYS_umask, before.mask);
    if (before.folder_changed)
        native_syscall(SYS_fchdir, before.folder);
    for (uint32_t i = 0; before.limits_changed != 0 && i < RLIM_NLIMITS; i++)
        if (before.limits_changed & 1u << i)
            native_syscall(SYS_setrlimit, i, &before.limits[i]);
    before.mask_changed = before.folder_changed = false;
    before.limits_changed = 0;
}

EXPORT mode_t umask(mode_t mask) {
    if (rt.current == NULL)
        return libc.umask(mask);
    uncontrolled("umask", PROCESS_WIDE, CALLER);
    mode_t old = libc.umask(mask);
    if (!before.mask_changed)
        before.mask = old;
    before.mask_changed = true;
    return old;
}

static void leave_folder(const char *call, uint64_t pc) {
    enum { OUT_OF_THE_WAY = 1000 };
    uncontrolled(call, PROCESS_WIDE, pc);
    if (before.folder == 0) {
        long here = native_syscall(SYS_open, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        before.folder = (int)native_syscall(SYS_fcntl, here, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
        native_syscall(SYS_close, here);
    }
    before.folder_changed = before.folder > 0;
}

EXPORT int chdir(const char *path) {
    if (rt.current != NULL)
        leave_folder("chdir", CALLER);
    return libc.chdir(path);
}

EXPORT int fchdir(int folder) {
    if (rt.current != NULL)
        leave_folder("fchdir", CALLER);
    return libc.fchdir(folder);
}

EXPORT int setrlimit(__rlimit_resource_t which, const struct rlimit *limit) {
    if (rt.current == NULL)
        return libc.setrlimit(which, limit);
    uncontrolled("setrlimit", PROCESS_WIDE, CALLER);
    if ((unsigned)which < RLIM_NLIMITS && !(before.limits_changed & 1u << which) &&
        native_syscall(SYS_getrlimit, which, &before.limits[which]) == 0)
        before.limits_changed |= 1u << which;
    return libc.setrlimit(which, limit);
}
