/* plain.c - plain and volatile accesses, and function entry and exit, as the compilers instrument them
 * for ThreadSanitizer. A plain access is checked (heap, data race) and goes on; a volatile one, and a
 * plain one under --races=explore, is an operation. Copies are in copies.c.
 *
 * This file alone is compiled with sibling calls (explore_alone). So it calls no function that tells its callers
 * apart by the address to which it returns: neither memcpy nor its like. */
#include "base/check.h"
#include "base/narrow.h"
#include "substrates/native/runtime.h"
#include "substrates/native/shared_stack.h"

_Noreturn void wild_write(struct task *task, uint64_t address, uint64_t pc) {
    found(task, FINDING_CRASH, address, pc, "write over Heddle's own memory, at address 0x%llx",
          (unsigned long long)address);
}

/* The storage of the first thread stands elsewhere, and stays. */
void check_thread_local(struct task *task, uint64_t address, bool write, uint64_t pc) {
    uint32_t owner = (uint32_t)((address - SLOT_BASE) / SLOT_SIZE);
    if (owner != task->id && address >= slot_thread(owner) && rt.tasks[owner].state == TASK_ENDED)
        found(task, FINDING_HEAP, address, pc,
              "%s of a thread-local variable of a thread that has ended", write ? "write" : "read");
}

/* Whether it is told or not, the same is left below the task's frames: what spin.c sees there must not depend
 * on who else has been to this stack, nor on evidence. So its registers are saved first in either case. */
static __attribute__((noinline, optimize("no-shrink-wrap"))) void
own_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    enum { KEPT = 2 << 10 };
    static char kept[KEPT];
    if (stack_is_private(task, address, size))
        return;
    uint64_t low = read_sp() - KEPT;
    bool keeps = own_stack(task, low); /* not on another one, of the program's own making */
    if (keeps)
        copy_below(kept, (const char *)low, KEPT);
    rt.host->ops->access(rt.host, task->id, address, size,
                         kind_of_access(task, address, size, write), pc);
    if (keeps)
        copy_below((char *)low, kept, KEPT);
}

/* Whether an access is told decides how much of the stack we need: so this comes before. */
static inline __attribute__((always_inline)) void check_stack(struct task *task, uint64_t pc) {
    if (__builtin_expect(stack_used_up(task, read_sp()), 0))
        stack_overflow(task, pc);
}

/* As for its own stack, spin.c looks at all of it anyway. */
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
    } else if (task->polled.effects == task->effects) {
        spin_read(task, (const void *)address, size);
    }
    if (rt.concurrent && rt.host->wants_accesses)
        rt.host->ops->access(rt.host, task->id, address, size,
                             kind_of_access(task, address, size, write), pc);
}

static inline __attribute__((always_inline)) void
check_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    if (!own_stack(task, address)) {
        other_access(task, address, size, write, pc);
    } else if (rt.concurrent) {
        check_stack(task, pc);
        if (rt.host->wants_accesses)
            own_access(task, address, size, write, pc);
    }
    if (__builtin_expect(task->polled.suspect, 0))
        spin_wipe();
}

/* The runtime cannot do the access itself: it comes right after the call. Its event has no value. */
static void access_operation(struct task *task, enum op_kind kind, uint64_t address, uint32_t size,
                             uint64_t pc) {
    struct op op = {.kind = kind, .size = narrow_u8(size), .object = address, .pc = pc};
    bool write = op_info(kind)->effect == EFFECT_WRITE;
    if (kind_of_access(task, address, size, write) >= IGNORED_READ)
        op.order = ORDER_ANNOTATED;
    struct event *event = perform(task, &op, NULL, NULL);
    if (write)
        task->effects += !own_stack(task, address);
    else if (size <= 16)
        spin_read(task, (const void *)address, size);
    happened(event);
}

/* --races=explore. A large copy is not atomic: it is as many operations as it has parts. */
static __attribute__((noinline)) void explore_access(struct task *task, uint64_t address,
                                                     uint32_t size, bool write, uint64_t pc) {
    enum { PART = 128 };
    for (uint64_t at = 0; at < size; at += PART) {
        access_operation(task, write ? OP_PLAIN_WRITE : OP_PLAIN_READ, address + at,
                         size - at < PART ? (uint32_t)(size - at) : PART, pc);
        task->parts++;
    }
}

static inline bool explores(const struct task *task, uint64_t address) {
    return __builtin_expect(rt.explore_plain, 0) && rt.concurrent &&
           (!own_stack(task, address) || rt.session->options.shared_stacks);
}

/* An access that the program has told of itself. Most never come here, so the frame is noted only now. The
 * function that the program called ends with this call: so its frame is gone, and ours is the first below the
 * program's. Otherwise slots of that frame that nobody has written would count (spin.c). */
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
    if (rt.session->options.volatiles == VOLATILE_ATOMIC)
        rt.session->weak_orders = true; /* relaxed, and explored as seq_cst */
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
    /* The place is not that of the call: the frame is noted as for access_for(). */ \
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

/* The table of virtual functions is written at construction and destruction: an ordinary write. */
EXPORT void __tsan_vptr_update(void **at, void *value) {
    if (*at != value)
        plain((uint64_t)at, sizeof *at, true, CALLER_ADDRESS);
}
EXPORT void __tsan_vptr_read(void **at) {
    plain((uint64_t)at, sizeof *at, false, CALLER_ADDRESS);
}

void __tsan_on_initialize(void); /* the program's own, or nothing */

/* Every instrumented object calls this before main. */
EXPORT void __tsan_init(void) {
    if (!rt.instrumented)
        __tsan_on_initialize();
    rt.instrumented = true;
}

static inline void leave_call(struct task *task) {
    if (--task->depth < task->depth_low)
        task->depth_low = task->depth;
}

enum { CALL_FRAME = 16 }; /* a return address and a frame pointer */

/* Frames that a longjmp or a foreign unwinder left behind have stack pointers below the caller's. */
EXPORT void __tsan_func_entry(void *pc) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    uint64_t sp = (uint64_t)__builtin_dwarf_cfa() - CALL_FRAME;
    if (__builtin_expect(stack_used_up(task, sp), 0))
        stack_overflow(task, (uint64_t)pc);
    if (sp < task->stack_low && own_stack(task, sp))
        task->stack_low = sp;
    while (task->depth > 0 && task->calls[(task->depth - 1) % CALLS_MAX].sp <= sp)
        leave_call(task);
    task->calls[task->depth++ % CALLS_MAX] = (struct call){(uint64_t)pc, sp};
    if (__builtin_expect(rt.atomic_functions > 0, 0))
        atomic_function_entered(task);
}

EXPORT void __tsan_func_exit(void) {
    struct task *task = rt.current;
    if (task == NULL)
        return;
    if (task->depth > 0)
        leave_call(task);
    if (__builtin_expect(rt.atomic_functions > 0, 0))
        atomic_function_exited(task);
}
