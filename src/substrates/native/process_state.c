/* process_state.c - what the kernel keeps for the process and a program can change: the file mode mask, the folder, the
 * resource limits. The first change of an execution notes what was there, and the next execution finds that again. The
 * calls are no operations: which of two tasks is first is not explored, and the ledger names them. */
#define _GNU_SOURCE
#include "substrates/native/calls.h"

#include <sys/syscall.h>

#define PROCESS_WIDE "is no operation: its order among other tasks is not explored"

static struct {
    bool mask_changed, folder_changed;
    uint32_t limits_changed; /* a bit each */
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
