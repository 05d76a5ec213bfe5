/* fiber.c - tasks as fibers on one OS thread, each with the thread-local storage of a real
 * thread.
 *
 * For every task but the first a real thread is started once. The thread parks at once and for
 * ever, and only its thread control block is used: while the fiber runs, the FS base points to
 * that block, so errno, __thread variables and C++ thread-locals are the task's own. A switch is
 * jump_fcontext (Boost.Context) plus a change of the FS base. Our own code works with any FS
 * base.
 *
 * A task that comes to rest asks the engine which task moves next (host.next), and switches to
 * that task directly. So a step costs one switch, or none if the same task goes on. If an
 * execution has more tasks than there are real threads, it ends with OUTCOME_RESTART; threads are
 * started, and the same decisions are followed again. */
#define _GNU_SOURCE
#include "substrates/native/tasks/fiber.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asm/prctl.h>

#include "engine/debugger.h"
#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/program/debugger.h"
#include "substrates/native/program/libraries.h"
#include "substrates/native/runtime.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/stack.h"
#include "substrates/native/tasks/stack_room.h"
#include "substrates/native/tasks/trial.h"

/* Boost.Context's C interface; its headers are C++ only. */
struct transfer {
    void *context;
    void *data;
};
extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *stack_top, size_t size, void (*function)(struct transfer));

static void *engine_context; /* where the engine goes on after a switch */
static uint64_t fs_now;      /* the FS base at present */
static bool fs_instruction;  /* the kernel lets user code set FS (HWCAP2 bit 1) */
static bool fs_known;

static void set_fs(uint64_t base) {
    if (base == fs_now)
        return;
    fs_now = base;
    if (fs_instruction)
        __asm__ volatile("wrfsbase %0" : : "r"(base));
    else
        native_syscall(SYS_arch_prctl, ARCH_SET_FS, base);
}

static int parked; /* 1: the thread that was just started does not write to memory any more */

/* Unregisters the restartable sequence of the thread. Otherwise the kernel would write to the
 * thread's control block whenever it moves the thread. glibc's symbols for it are newer than the
 * oldest glibc that we support. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static void leave_rseq(void) {
    enum { RSEQ_LEAST = 32, RSEQ_UNREGISTER = 1, RSEQ_SIGNATURE = 0x53053053 };
    if (&__rseq_size == NULL || __rseq_size == 0)
        return;
    uint64_t size = __rseq_size < RSEQ_LEAST ? RSEQ_LEAST : __rseq_size;
    native_syscall(SYS_rseq, read_fs() + (uint64_t)__rseq_offset, size, RSEQ_UNREGISTER,
                   RSEQ_SIGNATURE);
}

static unsigned long
    processors[1024 / sizeof(long)]; /* the processors on which this process may run */
static long processors_size;         /* 0: they are not known */

/* A parked thread signals that it has started, and sleeps. This is cheapest if no other
 * processor has to wake up. */
void fibers_on_one_processor(void) {
    unsigned long one[sizeof processors / sizeof *processors] = {0};
    unsigned number = 0;
    processors_size =
        native_syscall(SYS_sched_getaffinity, 0, sizeof processors, processors, 0, 0, 0);
    if (processors_size <= 0 || native_syscall(SYS_getcpu, &number, 0, 0, 0, 0, 0) != 0 ||
        number >= 8 * sizeof one) {
        processors_size = 0;
        return;
    }
    one[number / (8 * sizeof *one)] = 1ul << number % (8 * sizeof *one);
    native_syscall(SYS_sched_setaffinity, 0, sizeof one, one, 0, 0, 0);
}

void fibers_on_all_processors(void) {
    if (processors_size > 0)
        native_syscall(SYS_sched_setaffinity, 0, processors_size, processors, 0, 0, 0);
}

/* The thread's memory, with its stack, becomes a task's and may be protected. The thread must
 * not write to it once `parked` is set. So it sets `parked`, wakes its creator and waits for
 * ever without using memory. */
static void *park_for_ever(void *unused) {
    static int never;
    (void)unused;
    leave_rseq();
    fibers_on_all_processors();
    __asm__ volatile(
        "movl $1, (%%rdi)\n\t"
        "mov %[futex], %%eax\n\t"
        "syscall\n\t"
        "mov %[never], %%rdi\n\t"
        "mov %[wait], %%esi\n\t"
        "xor %%edx, %%edx\n\t"
        "xor %%r10d, %%r10d\n" /* no time-out */
        "1: mov %[futex], %%eax\n\t"
        "syscall\n\t"
        "jmp 1b"
        :
        : "D"(&parked), "S"(FUTEX_WAKE_PRIVATE),
          "d"(1), [never] "r"(&never), [wait] "i"(FUTEX_WAIT_PRIVATE), [futex] "i"(SYS_futex)
        : "rax", "rcx", "r10", "r11", "memory");
    __builtin_unreachable();
}

/* Starts the thread whose control block the task will use. All signals are blocked in the thread
 * except SIGSEGV: the C library may write to saved pages while it starts a thread, and those
 * faults must be seen. */
static uint64_t start_parked_thread(struct task *task) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    parked = 0;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    native_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, 8);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, (void *)slot_thread(task->id), SLOT_THREAD);
    int error = real.pthread_create(&thread, &attributes, park_for_ever, NULL);
    native_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
    if (error != 0)
        unsupported("pthread_create", task->op.pc, "the system gives no more threads");
    while (!__atomic_load_n(&parked, __ATOMIC_ACQUIRE))
        native_syscall(SYS_futex, &parked, FUTEX_WAIT_PRIVATE, 0, NULL);
    return (uint64_t)thread;
}

/* Adds the task's thread-local storage to the memory that executions go back to, if there is
 * such memory. The thread-local storage and the control block fill the top of the parked
 * thread's stack; the thread's frames, which never change again, stand below. The range ends at
 * the first page that was never written. */
void fiber_track(const struct task *task) {
    enum { WINDOW = 16 };
    unsigned char present[WINDOW];
    uint64_t bottom = slot_thread(task->id), top = bottom + SLOT_THREAD;
    uint64_t start = (task->fiber.fs_base - 1) & ~(uint64_t)(PAGE - 1);
    if (!memory_is_saved())
        return;
    for (uint32_t left = 0; start > bottom; start -= PAGE) {
        if (left == 0) {
            left = (start - bottom) / PAGE < WINDOW ? (uint32_t)((start - bottom) / PAGE) : WINDOW;
            if (mincore((void *)(start - left * PAGE), left * PAGE, present) != 0)
                break;
        }
        if (!(present[--left] & 1))
            break;
    }
    memory_track(start, top);
    if (libraries_storage_apart_at_all())
        memory_track(bottom, bottom + PAGE);
}

static bool is_prepared(const struct task *task) {
    return task->fiber.fs_base != 0;
}

void fiber_prepare(struct task *task) {
    if (is_prepared(task))
        return;
    if (!fs_known) {
        fs_instruction = (getauxval(AT_HWCAP2) & 2) != 0;
        fs_known = true;
        fs_now = read_fs();
    }
    memory_map(slot_stack_low(task->id), SLOT_STACK);
    memory_map(slot_calls(task->id), SLOT_CALLS);
    task->calls.records = (struct call *)slot_calls(task->id);
    if (task->id == 0) {
        task->fiber.fs_base = read_fs();
        return;
    }
    memory_map(slot_thread(task->id), SLOT_THREAD);
    task->fiber.fs_base = start_parked_thread(task);
    if (libraries_storage_apart_at_all())
        libraries_move_vector(task->fiber.fs_base, slot_thread(task->id));
    fiber_track(task);
}

void fiber_prepare_machine(struct task *task) {
    uint32_t id = (uint32_t)(task - task_table);
    if (task->calls.records != NULL)
        return;
    memory_map(slot_stack_low(id), SLOT_STACK);
    memory_map(slot_calls(id), SLOT_CALLS);
    task->calls.records = (struct call *)slot_calls(id);
}

/* --- switching ------------------------------------------------------------------------------ */

/* The code that goes on after a switch stores the context of the code that it came from. `data`
 * points to the place for it. */
static void arrived(struct transfer transfer) {
    if (transfer.data != NULL)
        *(void **)transfer.data = transfer.context;
}

static void enter(struct transfer transfer) {
    arrived(transfer);
    fiber_main(rt.current);
}

void fiber_start(struct task *task) {
    task->fiber.context = make_fcontext((void *)slot_stack_top(task->id), SLOT_STACK, enter);
}

static void enter_machine(struct transfer transfer) {
    arrived(transfer);
    machine_main(rt.current);
}

void fiber_start_machine(struct task *task, uint64_t top) {
    task->fiber.context = make_fcontext((void *)top, SLOT_STACK, enter_machine);
}

/* Switches to a task, or with NULL to the engine. */
static void switch_to(struct task *task, void **from) {
    void *context = engine_context;
    if (task != NULL) {
        set_fs(task->machine != NULL ? task_at(0)->fiber.fs_base : task->fiber.fs_base);
        context = task->fiber.context;
    }
    arrived(jump_fcontext(context, from));
}

/* Decisions are made on the engine's stack, below the frames of the engine itself. That needs no
 * switch, and leaves nothing of the search on the program's stacks. */
uint64_t fiber_on_engine_stack(uint64_t (*function)(uint64_t argument), uint64_t argument) {
    enum { RED_ZONE = 128, ALIGNMENT = 16 };
    uint64_t stack = ((uint64_t)engine_context - RED_ZONE) & ~(uint64_t)(ALIGNMENT - 1);
    uint64_t result;
    __asm__ volatile("mov %%rsp, %%rbx\n\t"
                     "mov %[stack], %%rsp\n\t"
                     "call *%[function]\n\t"
                     "mov %%rbx, %%rsp"
                     : "=a"(result), "+D"(argument), [stack] "+r"(stack), [function] "+r"(function)
                     :
                     : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    return result;
}

static uint64_t ask_for_next(uint64_t unused) {
    (void)unused;
    return (uint64_t)native_next();
}

static struct task *next_task(void) {
    if (__builtin_expect(trial_on, 0))
        trial_leaves();
    rt.current = NULL;
    rt.session->live.process.in_program = false;
    struct task *task = (struct task *)fiber_on_engine_stack(ask_for_next, 0);
    if (task != NULL) {
        rt.current = task;
        rt.session->live.process.running = task->id;
        rt.session->live.process.in_program = true;
    }
    return task;
}

void fiber_run(struct task *task) {
    rt.current = task;
    rt.session->live.process.running = task->id;
    rt.session->live.process.in_program = true;
    switch_to(task, &engine_context);
}

void fiber_park(struct task *task) {
    uint64_t sp = read_sp();
    if (sp < task->fiber.stack_low)
        task->fiber.stack_low = sp;
    if (__builtin_expect(debugging.keeps_registers, 0))
        stack_note_registers(debugger_registers_of(task));
    struct task *next = next_task();
    if (next != task)
        switch_to(next, &task->fiber.context);
}

void fiber_leave(void **context) {
    if (trial_on)
        trial_leaves();
    if (debugging.keeps_registers)
        stack_note_registers(debugger_registers_of(task_at(rt.session->live.process.running)));
    rt.current = NULL;
    rt.session->live.process.in_program = false;
    switch_to(NULL, context);
}

_Noreturn void fiber_try(struct task *task) {
    rt.current = task;
    rt.session->live.process.running = task->id;
    rt.session->live.process.in_program = true;
    switch_to(task, NULL);
    __builtin_unreachable();
}

_Noreturn void fiber_return(void) {
    if (trial_on)
        trial_leaves();
    rt.current = NULL;
    rt.session->live.process.in_program = false;
    switch_to(NULL, NULL);
    __builtin_unreachable();
}

_Noreturn void fiber_abandon(void) {
    switch_to(next_task(), NULL);
    __builtin_unreachable();
}

/* The task may be on the signal stack, which the next signal needs. So its position is the place
 * where the signal interrupted it. */
_Noreturn void fiber_stop(struct task *task) {
    struct debugger_registers *registers = debugger_registers_of(task);
    if (!stack_take_interrupted(registers))
        stack_note_registers(registers);
    if (registers->rsp < task->fiber.stack_low && own_stack(task, registers->rsp))
        task->fiber.stack_low = registers->rsp;
    task->fiber.context = (void *)(registers->rsp & ~(uint64_t)7);
    fiber_abandon();
}
