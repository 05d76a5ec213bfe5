/* crash.c - crashes of the program, writes to saved pages, and steps that never end.
 *
 * The handler runs on a stack of its own, so it catches a stack overflow too. It leaves by
 * switching to the engine: the memory that the program leaves in disorder is put back anyway. If
 * the program has a handler for a crash, the task goes on in that handler, on its own stack. If
 * that handler returns, the same instruction would crash again, so the crash is reported then. */
#define _GNU_SOURCE
#include "substrates/native/program/crash.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "engine/session.h"
#include "substrates/native/calls/fence.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/calls/signal.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/stack.h"
#include "substrates/native/tasks/stack_room.h"

enum { SIGNAL_STACK = 256 << 10, PAGE_FAULT_WRITE = 2 };

bool passing_on;

static const char *describe(int signal) {
    switch (signal) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "invalid memory access (SIGBUS)";
    case SIGFPE: return "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGABRT: return "abort (SIGABRT)";
    case SIGTRAP: return "trap (SIGTRAP)";
    case SIGSYS: return "bad system call (SIGSYS)";
    }
    return "signal";
}

/* Our own code has crashed, or the program has written over our memory. The process dies; the
 * supervisor reports the execution and starts another process. */
static _Noreturn void die(int signal) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    rt.session->live.death.inside = true;
    real.sigaction(signal, &standard, NULL);
    native_syscall(SYS_tgkill, native_syscall(SYS_getpid), native_syscall(SYS_gettid), signal);
    for (;;)
        native_syscall(SYS_exit_group, 128 + signal);
}

_Noreturn void stack_overflow(struct task *task, uint64_t pc) {
    found_somewhere(task, FINDING_CRASH, pc, "stack overflow: a stack has %llu MB",
                    (unsigned long long)(SLOT_STACK >> 20));
}

static _Noreturn void crashed(struct task *task, int signal, uint64_t address, bool write,
                              uint64_t pc) {
    if (signal == SIGSEGV || signal == SIGBUS)
        found(task, FINDING_CRASH, address, pc, "%s: %s at address 0x%llx", describe(signal),
              write ? "write" : "read", (unsigned long long)address);
    found(task, FINDING_CRASH, 0, pc, "%s", describe(signal));
}

/* Stands on the task's stack, below the place of the interruption. */
struct crash {
    struct task *task;
    int signal;
    siginfo_t info;
    ucontext_t context;
};

static _Noreturn void report(struct task *task, int signal, uint64_t address,
                             const ucontext_t *context) {
    bool write = context->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE;
    crashed(task, signal, address, write, stack_interrupted(task, context));
}

static void run_handler_of(struct crash *crash) {
    uint64_t pc = (uint64_t)crash->context.uc_mcontext.gregs[REG_RIP];
    operation_cut_short(); /* the access was one that we made for the program */
    signal_run_handler(crash->task, crash->signal, &crash->info, &crash->context, pc);
    report(crash->task, crash->signal, (uint64_t)crash->info.si_addr, &crash->context);
}

/* Whether the program's handler can run. */
static bool is_handled(const struct task *task, int signal, uint64_t sp) {
    return signal_has_handler(task, signal) && own_stack(task, sp) &&
           !stack_used_up(task, sp - sizeof(struct crash));
}

static void go_to_handler(struct task *task, int signal, const siginfo_t *info,
                          ucontext_t *context) {
    enum { RED_ZONE = 128, ALIGNMENT = 64 };
    greg_t *registers = context->uc_mcontext.gregs;
    uint64_t at = ((uint64_t)registers[REG_RSP] - RED_ZONE - sizeof(struct crash)) &
                  ~(uint64_t)(ALIGNMENT - 1);
    struct crash *crash = (struct crash *)at;
    crash->task = task;
    crash->signal = signal;
    crash->info = *info;
    crash->context = *context;
    registers[REG_RDI] = (greg_t)at;
    registers[REG_RSP] = (greg_t)(at - sizeof(uint64_t)); /* as after a call */
    registers[REG_RIP] = (greg_t)run_handler_of;
    registers[REG_EFL] &= ~(greg_t)0x400; /* the direction flag, which a copy may have set */
}

/* The place after the instruction; if it is in the C library, the place after the program's
 * call. */
static uint64_t outside_c_library(struct task *task, const ucontext_t *context) {
    enum { FRAMES = 16 };
    uint64_t pcs[FRAMES], pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    if (task == NULL || !in_range(&code_ranges.libc, pc))
        return pc;
    uint32_t count = task_stack(task, stack_interrupted(task, context), pcs, FRAMES);
    for (uint32_t i = 0; i < count; i++)
        if (!in_range(&code_ranges.libc, pcs[i]))
            return pcs[i];
    return pc;
}

/* A signal that interrupts a blocking system call finds the program right after the instruction. */
static bool after_system_call(uint64_t pc) {
    const unsigned char *before = (const unsigned char *)pc - 2;
    return before[0] == 0x0f && before[1] == 0x05;
}

/* --- steps that do not end ------------------------------------------------------------------- */

/* If our own code is interrupted, nothing must be left half done. So the process makes single
 * instructions, each with a trap, until it is back in the program. */
static struct {
    uint32_t left; /* instructions until we give up, and the supervisor asks again; 0: no traps */
    union sigval step;
} walk_out;

enum { WALK_OUT_MAX = 50000, TRAP_FLAG = 0x100 };

static void begin_walk_out(union sigval step, ucontext_t *context) {
    walk_out.left = WALK_OUT_MAX;
    walk_out.step = step;
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void end_walk_out(ucontext_t *context) {
    walk_out.left = 0;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static bool in_own_code(const ucontext_t *context) {
    return rt.current == NULL ||
           (is_own_code((uint64_t)context->uc_mcontext.gregs[REG_RIP]) && !passing_on);
}

/* The supervisor says whether the step has slept in the kernel or has worked: a loop of system
 * calls can be interrupted after one of them, too. */
static void give_up_step(union sigval step, const ucontext_t *context) {
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    passing_on = false;
    rt.session->live.heartbeat++; /* the step is over: further signals for it come too late */
    if (session_step_asleep(step) && after_system_call(pc))
        unsupported("system call", pc, "blocks in the kernel, where it cannot be controlled");
    else
        found_somewhere(rt.current, FINDING_DIVERGENCE, stack_interrupted(rt.current, context),
                        "no operation within %u ms", rt.session->request.options.step_timeout_ms);
}

static void walk_on(ucontext_t *context) {
    bool over = !session_step_is(&rt.session->live, walk_out.step);
    if (!over && in_own_code(context) && --walk_out.left > 0)
        return;
    bool back = !over && walk_out.left > 0;
    end_walk_out(context);
    if (back)
        give_up_step(walk_out.step, context);
}

static void on_step_timeout(int signal, siginfo_t *info, void *context) {
    (void)signal;
    if (info->si_code != SI_QUEUE || !session_step_is(&rt.session->live, info->si_value) ||
        walk_out.left > 0)
        return;
    if (in_own_code(context))
        begin_walk_out(info->si_value, context);
    else
        give_up_step(info->si_value, context);
}

/* --- installing the handlers -------------------------------------------------------------------- */

static void on_crash(int signal, siginfo_t *info, void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct task *task = rt.current;
    uint64_t address = (uint64_t)info->si_addr, sp = (uint64_t)registers[REG_RSP];
    bool write = registers[REG_ERR] & PAGE_FAULT_WRITE;
    if (signal == SIGTRAP && walk_out.left > 0) {
        walk_on(context);
        return;
    }
    if (signal == SIGSEGV && write && memory_fault(address))
        return;
    if (signal == SIGSYS && fence_met(info))
        fence_refuse(info, outside_c_library(task, context));
    if (task == NULL)
        die(signal);
    if (signal == SIGSEGV &&
        (stack_overflown(task, sp) || address - slot_at(task->id) < SLOT_GUARD))
        stack_overflow(task, stack_interrupted(task, context));
    if (is_handled(task, signal, sp))
        go_to_handler(task, signal, info, context);
    else
        report(task, signal, address, context);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    CHECK(real.sigaction(signal, &action, NULL) == 0);
}

void crash_install(void) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    void *memory =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK};
    CHECK(sigaltstack(&stack, NULL) == 0);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        install(crashes[i], on_crash);
    install(SESSION_STEP_SIGNAL, on_step_timeout);
}
