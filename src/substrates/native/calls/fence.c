/* fence.c - a seccomp filter for system calls that must never happen.
 *
 * We interpose the functions of the C library, and syscall(). A system call instruction in the
 * program itself passes both. It could end the supervisor, or make a process that outlives the
 * search. So the kernel filters: a system call marked FENCE in system_calls.def is allowed only
 * if the instruction is in the runtime, or in the C library for calls that it makes on our
 * behalf. Otherwise the kernel sends SIGSYS, and the execution ends as unsupported.
 *
 * The C library starts threads for the runtime (fiber.c) by clone3. The flags of clone3 are in
 * memory, where the filter cannot look, so clone3 is always allowed in the C library. If the
 * filter made clone3 fail, the C library would fall back to clone, but the error would stay in
 * a task's memory.
 *
 * All other system calls are allowed by their number alone. The kernel keeps a map of those, so
 * they cost nothing. If filters are forbidden, the search goes on, with a line in the ledger. */
#define _GNU_SOURCE
#include "substrates/native/calls/fence.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "substrates/native/native.h"
#include "substrates/native/program/code.h"
#include "substrates/native/tasks/outcome.h"

enum {
    INSTRUCTIONS = 128,
    X32_CALLS = 0x40000000, /* numbers of another interface to the same kernel */
    MARK = 0x4ed1,          /* tells our SIGSYS from that of the program's own filter */
    FROM_FILTER = 1, /* si_code of SIGSYS: SYS_SECCOMP, which only the kernel's headers define */
    /* SECCOMP_FILTER_FLAG_SPEC_ALLOW: without this flag, the kernel may slow the program down */
    SPECULATION = 1 << 2,
};

enum { SAME, FORWARD, REFUSE, FENCE };

static const struct {
    long number;
    const char *name;
    int treatment;
} system_calls[] = {
#define CALL(name, treatment) {SYS_##name, #name, treatment},
#include "substrates/native/calls/system_calls.def"
#undef CALL
};

enum { SYSTEM_CALLS = sizeof system_calls / sizeof system_calls[0] };

static struct sock_filter filter[INSTRUCTIONS];
static unsigned short length;

static void add(uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    CHECK(length < INSTRUCTIONS);
    filter[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The last two arguments are the numbers of instructions to skip. */
static void jump(uint16_t condition, uint64_t value, uint32_t if_true, uint32_t if_false) {
    add(BPF_JMP | condition | BPF_K, (uint32_t)value, (uint8_t)if_true, (uint8_t)if_false);
}

static void answer(uint32_t action) {
    add(BPF_RET | BPF_K, action, 0, 0);
}

enum { ALLOW = SECCOMP_RET_ALLOW, TRAP = SECCOMP_RET_TRAP | MARK, IS_IN_RANGE = 5 };

/* Adds IS_IN_RANGE instructions. If the system call instruction is in the range, the filter goes
 * on after them; otherwise it skips `otherwise` more. */
static void if_code(const struct address_range *range, uint32_t otherwise) {
    uint64_t start = range->start, end = start + range->size;
    load(offsetof(struct seccomp_data, instruction_pointer) + 4);
    jump(BPF_JEQ, start >> 32, 0, 3 + otherwise);
    load(offsetof(struct seccomp_data, instruction_pointer));
    jump(BPF_JGE, start & UINT32_MAX, 0, 1 + otherwise);
    jump(BPF_JGE, end & UINT32_MAX, otherwise, 0);
}

/* The filter compares the halves of addresses, so the high half must be the same in the whole
 * range. */
static bool is_compared(const struct address_range *range) {
    return range->size > 0 && range->start >> 32 == (range->start + range->size) >> 32;
}

static void begin(void) {
    load(offsetof(struct seccomp_data, arch));
    jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
    answer(TRAP);
    load(offsetof(struct seccomp_data, nr));
    jump(BPF_JGE, X32_CALLS, 0, 1);
    answer(TRAP);
}

static void allow_by_number(void) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < SYSTEM_CALLS; i++)
        left += system_calls[i].treatment == FENCE;
    for (uint32_t i = 0; i < SYSTEM_CALLS; i++)
        if (system_calls[i].treatment == FENCE)
            jump(BPF_JEQ, (uint64_t)system_calls[i].number, left--, 0);
    answer(ALLOW);
}

/* Signal 0 only asks whether the process exists. */
static void allow_asking(void) {
    load(offsetof(struct seccomp_data, nr));
    jump(BPF_JEQ, SYS_kill, 0, 3);
    load(offsetof(struct seccomp_data, args[1]));
    jump(BPF_JEQ, 0, 0, 1);
    answer(ALLOW);
}

/* abort() in the C library sends a signal to its own thread. */
static void allow_c_library(void) {
    load(offsetof(struct seccomp_data, nr));
    jump(BPF_JEQ, SYS_clone3, 5, 0);
    jump(BPF_JEQ, SYS_tgkill, 4, 0);
    jump(BPF_JEQ, SYS_exit, 3, 0);
    jump(BPF_JEQ, SYS_clone, 0, 3);
    load(offsetof(struct seccomp_data, args[0]));
    jump(BPF_JSET, CLONE_THREAD, 0, 1);
    answer(ALLOW);
    answer(TRAP);
}

static void make_filter(void) {
    begin();
    allow_by_number();
    if_code(&code_ranges.own, 1);
    answer(ALLOW);
    allow_asking();
    if_code(&code_ranges.libc, 9);
    allow_c_library();
    answer(TRAP);
}

void fence_install(void) {
    if (is_compared(&code_ranges.own) && is_compared(&code_ranges.libc)) {
        make_filter();
        struct sock_fprog program = {.len = length, .filter = filter};
        native_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (native_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SPECULATION, &program) == 0)
            return;
    }
    noted("seccomp", "not available here: system call instructions in the program are not filtered",
          0);
}

bool fence_met(const siginfo_t *info) {
    return info->si_code == FROM_FILTER && info->si_errno == MARK;
}

static const char *name_of(const siginfo_t *info) {
    if (info->si_arch != AUDIT_ARCH_X86_64)
        return "of another architecture";
    for (uint32_t i = 0; i < SYSTEM_CALLS; i++)
        if (system_calls[i].number == info->si_syscall)
            return system_calls[i].name;
    return "of another interface";
}

_Noreturn void fence_refuse(const siginfo_t *info, uint64_t pc) {
    char text[48];
    snprintf(text, sizeof text, "system call %s", name_of(info));
    unsupported(text, pc,
                "a system call instruction in the program itself reaches other processes, or "
                "makes threads or processes, which cannot be controlled");
}
