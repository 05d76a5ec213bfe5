/* syscall.c - syscall(), by which programs and libraries reach the kernel directly.
 *
 * Futexes are operations (futex.c). Each task has a thread number of its own, though all tasks
 * run on one thread. The first task has the number of the process, as natively; the number of
 * another task depends on that task only. The rest is in the table system_calls.def. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "substrates/native/interpose.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/program/crash.h"
#include "substrates/native/sync/futex.h"
#include "substrates/native/tasks/outcome.h"

enum { ARGUMENTS = 6, TOUCHED = 64 << 10, FIRST_NUMBER = 100000 };

enum treatment { SAME, FORWARD, REFUSE, FENCE, UNKNOWN };

struct system_call {
    long number;
    const char *name;
    enum treatment treatment;
};

static const struct system_call system_calls[] = {
#define CALL(name, treatment) {SYS_##name, #name, treatment},
#include "substrates/native/calls/system_calls.def"
#undef CALL
};

static const struct system_call *find(long number) {
    static const struct system_call unknown = {-1, "", UNKNOWN};
    for (size_t i = 0; i < sizeof system_calls / sizeof system_calls[0]; i++)
        if (system_calls[i].number == number)
            return &system_calls[i];
    return &unknown;
}

static long thread_number(const struct task *task) {
    return task->id == 0 ? native_syscall(SYS_getpid) : FIRST_NUMBER + task->id;
}

static long kernel(long number, const long *a) {
    passing_on = true;
    long result = native_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    passing_on = false;
    return result;
}

/* The kernel may have to write to a page that is saved at its first write. The kernel does not
 * wait for the fault, but fails. */
static long pass_on(long number, const long *arguments) {
    long result = kernel(number, arguments);
    if (result != -EFAULT)
        return result;
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        memory_touch((void *)arguments[i], TOUCHED);
    return kernel(number, arguments);
}

static long with_error(long result) {
    return result < 0 ? -errno : result;
}

/* Calls the function that the program would call. */
static long forward(long number, const long *a) {
    switch (number) {
    case SYS_sched_yield: return with_error(sched_yield());
    case SYS_clock_gettime: return with_error(clock_gettime((int)a[0], (struct timespec *)a[1]));
    case SYS_gettimeofday: return with_error(gettimeofday((struct timeval *)a[0], (void *)a[1]));
    case SYS_time: return with_error(time((time_t *)a[0]));
    case SYS_nanosleep: return with_error(nanosleep((void *)a[0], (void *)a[1]));
    case SYS_getrandom: return with_error(getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]));
    case SYS_open: return with_error(open((char *)a[0], (int)a[1], (mode_t)a[2]));
    case SYS_openat: return with_error(openat((int)a[0], (char *)a[1], (int)a[2], (mode_t)a[3]));
    case SYS_close: return with_error(close((int)a[0]));
    case SYS_close_range: return with_error(close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]));
    case SYS_dup: return with_error(dup((int)a[0]));
    case SYS_dup2: return with_error(dup2((int)a[0], (int)a[1]));
    case SYS_dup3: return with_error(dup3((int)a[0], (int)a[1], (int)a[2]));
    case SYS_pipe: return with_error(pipe((int *)a[0]));
    case SYS_pipe2: return with_error(pipe2((int *)a[0], (int)a[1]));
    }
    return -ENOSYS;
}

static _Noreturn void refuse(const struct system_call *call, uint64_t pc) {
    char text[48];
    snprintf(text, sizeof text, "syscall(SYS_%s)", call->name);
    unsupported(text, pc,
                "this system call blocks, reaches other processes, or makes threads or processes, "
                "which cannot be controlled");
}

static void note_in_ledger(struct task *task, long number, uint64_t pc) {
    static char call[32];
    rt.current = NULL; /* our own code */
    snprintf(call, sizeof call, "syscall(%ld)", number);
    uncontrolled(call, "a raw system call, passed on as it is", pc);
    rt.current = task;
}

static long controlled(struct task *task, long number, const long *arguments, uint64_t pc) {
    const struct system_call *call = find(number);
    if (number == SYS_futex)
        return futex_call(task, arguments, pc);
    if (number == SYS_gettid)
        return thread_number(task);
    if (number == SYS_exit_group)
        _exit((int)arguments[0]);
    switch (call->treatment) {
    case SAME: return pass_on(number, arguments);
    case FORWARD: return forward(number, arguments);
    case REFUSE:
    case FENCE: refuse(call, pc);
    case UNKNOWN: break;
    }
    note_in_ledger(task, number, pc);
    return pass_on(number, arguments);
}

EXPORT long syscall(long number, ...) {
    struct task *task = rt.current;
    long arguments[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    long result =
        task == NULL ? kernel(number, arguments) : controlled(task, number, arguments, CALLER);
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

EXPORT pid_t gettid(void) {
    struct task *task = rt.current;
    return (pid_t)(task == NULL ? native_syscall(SYS_gettid) : thread_number(task));
}
