/* signals.c - crashes of the program, writes to saved pages, and steps that never end.
 *
 * The handler runs on a stack of its own, so a stack overflow is caught too, and leaves by switching
 * to the engine: the memory that the program leaves in disorder is put back anyway. */
#define _GNU_SOURCE
#include "substrates/native/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/check.h"
#include "substrates/native/real.h"
#include "substrates/native/runtime.h"
#include "substrates/native/stack.h"

enum { SIGNAL_STACK = 256 << 10, PAGE_FAULT_WRITE = 2 };

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

/* Our own code has crashed, or the program wrote over our memory: the process dies, the supervisor
 * reports the execution and starts another one. */
static _Noreturn void die(int signal) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    rt.session->died_inside = true;
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

static void on_crash(int signal, siginfo_t *info, void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct task *task = rt.current;
    uint64_t address = (uint64_t)info->si_addr, sp = (uint64_t)registers[REG_RSP];
    bool write = registers[REG_ERR] & PAGE_FAULT_WRITE;
    if (signal == SIGSEGV && write && memory_fault(address))
        return;
    if (task == NULL)
        die(signal);
    uint64_t pc = stack_interrupted(task, context);
    if (signal == SIGSEGV &&
        (stack_overflown(task, sp) || address - slot_at(task->id) < SLOT_GUARD))
        stack_overflow(task, pc);
    crashed(task, signal, address, write, pc);
}

/* A signal that interrupts a blocking system call finds the program right after the instruction. */
static bool after_system_call(uint64_t pc) {
    const unsigned char *before = (const unsigned char *)pc - 2;
    return before[0] == 0x0f && before[1] == 0x05;
}

/* Interrupted in our own code, nothing may be left half done: the supervisor asks again. */
static void on_step_timeout(int signal, siginfo_t *info, void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct task *task = rt.current;
    uint64_t pc = (uint64_t)registers[REG_RIP];
    (void)signal, (void)info;
    if (task == NULL || is_own_code(pc))
        return;
    if (after_system_call(pc))
        unsupported("system call", pc, "blocks in the kernel, behind Heddle's back");
    else
        found_somewhere(task, FINDING_DIVERGENCE, stack_interrupted(task, context),
                        "no operation within %u ms", rt.session->options.step_timeout_ms);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {.sa_sigaction = handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    CHECK(real.sigaction(signal, &action, NULL) == 0);
}

void signals_install(void) {
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
