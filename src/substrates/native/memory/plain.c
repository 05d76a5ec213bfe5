/* plain.c - plain and volatile accesses, and function entry and exit, as the compilers
 * instrument them for ThreadSanitizer. A plain access is checked (heap, data race) and goes on.
 * A volatile access is an operation; so is a plain one with --races=explore. Copies are in
 * copies.c.
 *
 * Only this file is compiled with sibling calls (see explore_alone). So it must not call a
 * function that tells its callers apart by the return address, such as memcpy. */
#include "base/narrow.h"
#include "engine/session.h"
#include "substrates/native/calls/causal_time.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/annotations.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/memory/shared_stack.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/section.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/stack_room.h"

struct plain_accesses plain_accesses;

_Noreturn void wild_write(struct task *task, uint64_t address, uint64_t pc) {
    found(task, FINDING_CRASH, address, pc, "write over Heddle's own memory, at address 0x%llx",
          (unsigned long long)address);
}

/* The storage of the first thread is not in a slot, and stays. */
void check_thread_local(struct task *task, uint64_t address, bool write, uint64_t pc) {
    uint32_t owner = (uint32_t)((address - SLOT_BASE) / SLOT_SIZE);
    if (owner != task->id && address >= slot_thread(owner) && task_at(owner)->state == TASK_ENDED)
        found(task, FINDING_HEAP, address, pc,
              "%s of a thread-local variable of a thread that has ended", write ? "write" : "read");
}

/* Tells the analyses of an access to the task's own stack, if another task has been there. In
 * either case the same is left below the task's frames, because spin.c looks there, and the
 * result must neither depend on other tasks nor on evidence. So registers are saved first in
 * either case. */
static __attribute__((noinline, optimize("no-shrink-wrap"))) void
own_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    enum { KEPT = 2 << 10 };
    static char kept[KEPT];
    if (stack_is_private(task, address, size))
        return;
    uint64_t low = read_sp() - KEPT;
    bool keeps = own_stack(task, low); /* the task may be on a stack that the program made itself */
    if (keeps)
        copy_below(kept, (const char *)low, KEPT);
    rt.host->ops->access(rt.host, task->id, address, size,
                         kind_of_access(task, address, size, write), pc);
    if (keeps)
        copy_below((char *)low, kept, KEPT);
}

/* This check comes first, because telling the analyses needs room on the stack. */
static inline __attribute__((always_inline)) void check_stack(struct task *task, uint64_t pc) {
    if (__builtin_expect(stack_used_up(task, read_sp()), 0))
        stack_overflow(task, pc);
}

/* Reads of the task's own stack are not noted for spin.c, which looks at the whole stack anyway. */
static inline __attribute__((always_inline)) void
other_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    stack_look_out(task, address, size);
    if (in_heap(address))
        heap_check(task, address, size, write, pc);
    else if (__builtin_expect(in_slots(address), 0))
        check_thread_local(task, address, write, pc);
    if (write) {
        check_target(task, address, size, pc);
        check_stack(task, pc);
        task->effects++;
        if (__builtin_expect(in_slots(address), 0))
            spin_disturbed(task, address, size);
    } else if (task->polling.first.effects == task->effects) {
        spin_read(task, (const void *)address, size);
    }
    if (live_tasks.concurrent && rt.host->wants_accesses)
        rt.host->ops->access(rt.host, task->id, address, size,
                             kind_of_access(task, address, size, write), pc);
}

static inline __attribute__((always_inline)) void
check_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    if (__builtin_expect(task->section.depth > 0, 0) && causal_times.at != NULL)
        causal_time_carry_access(task, address, size, write);
    if (!own_stack(task, address)) {
        other_access(task, address, size, write, pc);
    } else if (live_tasks.concurrent) {
        check_stack(task, pc);
        if (rt.host->wants_accesses)
            own_access(task, address, size, write, pc);
    }
    if (__builtin_expect(task->polling.first.suspect, 0))
        spin_wipe();
}

/* The runtime cannot make the access itself, since it comes right after the call. So the event
 * has no value. */
static void access_operation(struct task *task, enum op_kind kind, uint64_t address, uint32_t size,
                             uint64_t pc) {
    struct op op = {.kind = kind, .size = narrow_u8(size), .object = address, .pc = pc};
    bool write = op_info(kind)->effect == EFFECT_WRITE;
    if (kind_of_access(task, address, size, write) >= IGNORED_READ)
        op.annotated = true;
    struct event *event = perform(task, &op, NULL, NULL);
    if (write)
        task->effects += !own_stack(task, address);
    else if (size <= 16)
        spin_read(task, (const void *)address, size);
    happened(event);
}

/* --races=explore: an access is an operation. A large copy is not atomic, so each part is an
 * operation. */
static __attribute__((noinline)) void explore_access(struct task *task, uint64_t address,
                                                     uint32_t size, bool write, uint64_t pc) {
    enum { PART = 128 };
    for (uint64_t at = 0; at < size; at += PART) {
        access_operation(task, write ? OP_PLAIN_WRITE : OP_PLAIN_READ, address + at,
                         size - at < PART ? (uint32_t)(size - at) : PART, pc);
        task->calls.parts++;
    }
}

static inline bool explores(const struct task *task, uint64_t address) {
    return __builtin_expect(plain_accesses.explored, 0) && live_tasks.concurrent &&
           (!own_stack(task, address) || rt.session->request.options.shared_stacks);
}

/* An access that the compiler has instrumented. Most accesses never come here, so the frame is
 * noted only now. The interposed function ends with a jump to this one, so its frame is gone and
 * ours is the first below the program's. Otherwise unwritten slots of that frame would count as
 * the program's (spin.c). */
static __attribute__((noinline)) CLEARS_REGISTERS void
explore_alone(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    __builtin_unwind_init();
    note_frame((uint64_t)__builtin_dwarf_cfa());
#ifdef __OPTIMIZE__
    CHECK(CALLER_ADDRESS == pc);
#endif
    explore_access(task, address, size, write, pc);
    check_access(task, address, size, write, pc);
}

static inline __attribute__((always_inline)) void plain(uint64_t address, uint32_t size, bool write,
                                                        uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    if (task->machine != NULL)
        machine_access(task, address, size, write, pc);
    else if (explores(task, address))
        explore_alone(task, address, size, write, pc);
    else
        check_access(task, address, size, write, pc);
}

__attribute__((noinline)) void access_for(uint64_t address, uint64_t bytes, bool write,
                                          uint64_t pc) {
    struct task *task = rt.current;
    uint32_t size = saturate_u32(bytes);
    if (task == NULL || size == 0)
        return;
    if (task->machine != NULL) {
        machine_access(task, address, size, write, pc);
        return;
    }
    if (explores(task, address))
        explore_access(task, address, size, write, pc);
    check_access(task, address, size, write, pc);
}

static inline __attribute__((always_inline)) void volatile_access(uint64_t address, uint32_t size,
                                                                  bool write, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    if (write)
        check_target(task, address, size, pc);
    if (rt.session->request.options.volatiles == VOLATILE_ATOMIC)
        rt.session->result.observed.weak_orders = true; /* relaxed, but explored as seq_cst */
    access_operation(task, write ? OP_VOLATILE_WRITE : OP_VOLATILE_READ, address, size, pc);
}

#define SAME_AS(function) __attribute__((visibility("default"), alias(#function)))

#define ACCESSES(size) \
    EXPORT void __tsan_read##size(void *at) { \
        plain((uint64_t)at, size, false, CALLER_ADDRESS); \
    } \
    EXPORT void __tsan_write##size(void *at) { \
        plain((uint64_t)at, size, true, CALLER_ADDRESS); \
    } \
    SAME_AS(__tsan_read##size) void __tsan_unaligned_read##size(void *at); \
    SAME_AS(__tsan_write##size) void __tsan_unaligned_write##size(void *at); \
    SAME_AS(__tsan_write##size) void __tsan_read_write##size(void *at); \
    SAME_AS(__tsan_write##size) void __tsan_unaligned_read_write##size(void *at); \
    /* The place is not that of the call, so the frame is noted as for access_for(). */ \
    EXPORT void __tsan_read##size##_pc(void *at, void *pc) { \
        (void)CALLER; \
        access_for((uint64_t)at, size, false, (uint64_t)pc); \
    } \
    EXPORT void __tsan_write##size##_pc(void *at, void *pc) { \
        (void)CALLER; \
        access_for((uint64_t)at, size, true, (uint64_t)pc); \
    } \
    EXPORT void __tsan_volatile_read##size(void *at) { \
        volatile_access((uint64_t)at, size, false, CALLER); \
    } \
    EXPORT void __tsan_volatile_write##size(void *at) { \
        volatile_access((uint64_t)at, size, true, CALLER); \
    } \
    SAME_AS(__tsan_volatile_read##size) void __tsan_unaligned_volatile_read##size(void *at); \
    SAME_AS(__tsan_volatile_write##size) void __tsan_unaligned_volatile_write##size(void *at);
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

EXPORT void __tsan_read_range(void *at, size_t size) {
    plain((uint64_t)at, saturate_u32(size), false, CALLER_ADDRESS);
}
EXPORT void __tsan_write_range(void *at, size_t size) {
    plain((uint64_t)at, saturate_u32(size), true, CALLER_ADDRESS);
}

/* Construction and destruction write the pointer to the table of virtual functions: an ordinary
 * write. */
EXPORT void __tsan_vptr_update(void **at, void *value) {
    if (*at != value)
        plain((uint64_t)at, sizeof *at, true, CALLER_ADDRESS);
}
EXPORT void __tsan_vptr_read(void **at) {
    plain((uint64_t)at, sizeof *at, false, CALLER_ADDRESS);
}

void __tsan_on_initialize(void); /* defined by the program, or else empty */

/* Every instrumented object file calls this before main. */
EXPORT void __tsan_init(void) {
    if (!plain_accesses.instrumented)
        __tsan_on_initialize();
    plain_accesses.instrumented = true;
}

static inline void leave_call(struct task *task) {
    if (--task->calls.depth < task->polling.depth_low)
        task->polling.depth_low = task->calls.depth;
}

enum { CALL_FRAME = 16 }; /* a return address and a frame pointer */

/* Frames that a longjmp or a foreign unwinder left behind have stack pointers below the
 * caller's. */
EXPORT void __tsan_func_entry(void *pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    uint64_t sp = (uint64_t)__builtin_dwarf_cfa() - CALL_FRAME;
    if (__builtin_expect(stack_used_up(task, sp), 0))
        stack_overflow(task, (uint64_t)pc);
    if (sp < task->fiber.stack_low && own_stack(task, sp))
        task->fiber.stack_low = sp;
    while (task->calls.depth > 0 &&
           task->calls.records[(task->calls.depth - 1) % CALLS_MAX].sp <= sp)
        leave_call(task);
    task->calls.records[task->calls.depth++ % CALLS_MAX] = (struct call){(uint64_t)pc, sp};
    if (__builtin_expect(atomic_function_count > 0, 0))
        atomic_function_entered(task);
}

EXPORT void __tsan_func_exit(void) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    if (task->calls.depth > 0)
        leave_call(task);
    if (__builtin_expect(atomic_function_count > 0, 0))
        atomic_function_exited(task);
}
