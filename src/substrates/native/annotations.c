/* annotations.c - what a program tells ThreadSanitizer about itself: sanitizer/tsan_interface.h and the dynamic
 * annotations. It is taken at its word.
 *
 * Order. What comes before a release at an address happens before what comes after a later acquire there. Both are
 * operations, since their order decides: if the acquire comes first there is no such edge, and perhaps a race. A lock of the
 * program's own making is released before it is unlocked and acquired behind the lock. The code in between stays what it
 * is, atomics included: they are operations, and they order too. Misuse of such a lock is not looked for, nor how deep it is
 * locked (__tsan_mutex_pre_unlock returns 1).
 *
 * Ignored accesses: between Annotate...Begin and ...End, inside the functions of an annotated lock, and where a benign race
 * was declared. They are accesses like all others, but their races are no findings; the verdict says if there was one
 * (session->annotated). Ignored synchronisation makes atomics relaxed.
 *
 * Fibers. The code of one thread is in order whatever fiber it belongs to, as the standard has it, also with
 * __tsan_switch_to_fiber_no_sync. A fiber that goes on in another thread takes along what it knows. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "base/check.h"
#include "base/narrow.h"
#include "substrates/native/runtime.h"

enum {
    BENIGN_MAX = 256,
    /* flags of __tsan_mutex_* */
    MUTEX_READ_LOCK = 1 << 3,
    MUTEX_TRY_LOCK_FAILED = 1 << 5,
};

/* Handles of fibers are names, not memory: of a task, and the how many-th that it has created. */
#define FIBER_BASE ((uint64_t)0x6f0000000000)
#define FIBERS_SHIFT 20

struct benign {
    uint32_t count;
    struct range {
        uint64_t start, size;
    } ranges[BENIGN_MAX];
};

static struct benign benign_before_main;

/* --- order ---------------------------------------------------------------------------------- */

static void order(enum op_kind kind, uint64_t address, bool reader, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL || task->machine != NULL)
        return;
    struct op op = {
        .kind = kind, .object = address, .value = reader ? ANNOTATE_READER : 0, .pc = pc};
    happened(perform(task, &op, NULL, NULL));
}

#define RELEASE(address, reader) order(OP_ANNOTATE_RELEASE, (uint64_t)(address), reader, CALLER)
#define ACQUIRE(address, reader) order(OP_ANNOTATE_ACQUIRE, (uint64_t)(address), reader, CALLER)

EXPORT void __tsan_release(void *at) {
    RELEASE(at, false);
}
EXPORT void __tsan_acquire(void *at) {
    ACQUIRE(at, false);
}
EXPORT void AnnotateHappensBefore(const char *file, int line, const volatile void *at) {
    (void)file, (void)line;
    RELEASE(at, false);
}
EXPORT void AnnotateHappensAfter(const char *file, int line, const volatile void *at) {
    (void)file, (void)line;
    ACQUIRE(at, false);
}
EXPORT void WTFAnnotateHappensBefore(const char *file, int line, const volatile void *at) {
    (void)file, (void)line;
    RELEASE(at, false);
}
EXPORT void WTFAnnotateHappensAfter(const char *file, int line, const volatile void *at) {
    (void)file, (void)line;
    ACQUIRE(at, false);
}

/* --- ignored accesses ----------------------------------------------------------------------- */

static bool any_benign(void) {
    return benign_before_main.count > 0 || rt.benign != NULL;
}

static void settle(struct task *task) {
    for (uint32_t write = 0; write < 2; write++)
        task->annotated.special[write] = task->annotated.ignores[write] > 0 || any_benign();
}

static void ignore(bool write, int change) {
    struct task *task = rt.current;
    if (task == NULL || (change < 0 && task->annotated.ignores[write] == 0))
        return;
    task->annotated.ignores[write] = (uint16_t)(task->annotated.ignores[write] + change);
    settle(task);
}

static void ignore_both(int change) {
    ignore(false, change);
    ignore(true, change);
}

static bool is_benign(const struct benign *benign, uint64_t address, uint32_t size) {
    for (uint32_t i = 0; benign != NULL && i < benign->count; i++)
        if (address < benign->ranges[i].start + benign->ranges[i].size &&
            benign->ranges[i].start < address + size)
            return true;
    return false;
}

enum plain_access annotated_access(const struct task *task, uint64_t address, uint32_t size,
                                   bool write) {
    bool ignored = task->annotated.ignores[write] > 0 ||
                   is_benign(&benign_before_main, address, size) ||
                   is_benign(rt.benign, address, size);
    return write ? (ignored ? IGNORED_WRITE : PLAIN_WRITE) : (ignored ? IGNORED_READ : PLAIN_READ);
}

/* Those of a program that runs without us are of no use, and those beyond the table are reported. */
static void add_benign(const volatile void *at, uint64_t size) {
    struct benign *benign = &benign_before_main;
    if (rt.unattended || (rt.controlled && rt.current == NULL))
        return;
    if (rt.current != NULL) {
        if (rt.benign == NULL)
            rt.benign = scratch_alloc(sizeof *rt.benign);
        benign = rt.benign;
    }
    if (benign->count < BENIGN_MAX && !is_benign(benign, (uint64_t)at, saturate_u32(size)))
        benign->ranges[benign->count++] = (struct range){(uint64_t)at, size};
    for (uint32_t i = 0; rt.current != NULL && i < rt.live_count; i++)
        settle(&rt.tasks[rt.live[i]]);
}

void annotations_inherit(struct task *child) {
    settle(child);
}

void annotations_begin(void) {
    rt.benign = NULL;
}

void annotations_fingerprint(struct fingerprint *out) {
    if (rt.benign != NULL)
        fingerprint_add(out, rt.benign->ranges, rt.benign->count * sizeof *rt.benign->ranges);
}

EXPORT void AnnotateIgnoreReadsBegin(const char *file, int line) {
    (void)file, (void)line;
    ignore(false, 1);
}
EXPORT void AnnotateIgnoreReadsEnd(const char *file, int line) {
    (void)file, (void)line;
    ignore(false, -1);
}
EXPORT void AnnotateIgnoreWritesBegin(const char *file, int line) {
    (void)file, (void)line;
    ignore(true, 1);
}
EXPORT void AnnotateIgnoreWritesEnd(const char *file, int line) {
    (void)file, (void)line;
    ignore(true, -1);
}
EXPORT void AnnotateIgnoreSyncBegin(const char *file, int line) {
    (void)file, (void)line;
    if (rt.current != NULL)
        rt.current->annotated.ignores_sync++;
}
EXPORT void AnnotateIgnoreSyncEnd(const char *file, int line) {
    (void)file, (void)line;
    if (rt.current != NULL && rt.current->annotated.ignores_sync > 0)
        rt.current->annotated.ignores_sync--;
}
EXPORT void AnnotateBenignRaceSized(const char *file, int line, const volatile void *at,
                                    unsigned long size, const char *text) {
    (void)file, (void)line, (void)text;
    add_benign(at, size);
}
EXPORT void AnnotateBenignRace(const char *file, int line, const volatile void *at,
                               const char *text) {
    (void)file, (void)line, (void)text;
    add_benign(at, 8);
}
EXPORT void WTFAnnotateBenignRaceSized(const char *file, int line, const volatile void *at,
                                       unsigned long size, const char *text) {
    (void)file, (void)line, (void)text;
    add_benign(at, size);
}

/* --- locks of the program's own making ------------------------------------------------------ */

EXPORT void __tsan_mutex_create(void *at, unsigned flags) {
    (void)at, (void)flags;
}
EXPORT void __tsan_mutex_destroy(void *at, unsigned flags) {
    (void)at, (void)flags;
}
EXPORT void __tsan_mutex_pre_lock(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(1);
}
EXPORT void __tsan_mutex_post_lock(void *at, unsigned flags, int recursion) {
    (void)recursion;
    ignore_both(-1);
    if (!(flags & MUTEX_TRY_LOCK_FAILED))
        ACQUIRE(at, flags & MUTEX_READ_LOCK);
}
EXPORT int __tsan_mutex_pre_unlock(void *at, unsigned flags) {
    RELEASE(at, flags & MUTEX_READ_LOCK);
    ignore_both(1);
    return 1;
}
EXPORT void __tsan_mutex_post_unlock(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(-1);
}
EXPORT void __tsan_mutex_pre_signal(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(1);
}
EXPORT void __tsan_mutex_post_signal(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(-1);
}
EXPORT void __tsan_mutex_pre_divert(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(-1);
}
EXPORT void __tsan_mutex_post_divert(void *at, unsigned flags) {
    (void)at, (void)flags;
    ignore_both(1);
}

EXPORT void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock) {
    (void)file, (void)line, (void)lock;
}
EXPORT void AnnotateRWLockCreateStatic(const char *file, int line, const volatile void *lock) {
    (void)file, (void)line, (void)lock;
}
EXPORT void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock) {
    (void)file, (void)line, (void)lock;
}
EXPORT void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock,
                                   long writes) {
    (void)file, (void)line;
    ACQUIRE(lock, !writes);
}
EXPORT void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock,
                                   long writes) {
    (void)file, (void)line;
    RELEASE(lock, !writes);
}

/* --- fibers --------------------------------------------------------------------------------- */

static uint64_t fiber_name(const struct task *task, uint32_t number) {
    return FIBER_BASE + ((uint64_t)task->id << FIBERS_SHIFT) + number;
}

static uint64_t current_fiber(const struct task *task) {
    return task->annotated.fiber ? task->annotated.fiber : fiber_name(task, 0);
}

EXPORT void *__tsan_get_current_fiber(void) {
    struct task *task = rt.current;
    return (void *)(task != NULL ? current_fiber(task) : FIBER_BASE);
}
EXPORT void *__tsan_create_fiber(unsigned flags) {
    struct task *task = rt.current;
    (void)flags;
    if (task == NULL)
        return (void *)(FIBER_BASE - 1);
    uint64_t fiber = fiber_name(task, ++task->annotated.fibers);
    RELEASE(fiber, false); /* it begins knowing what its creator knows */
    return (void *)fiber;
}
EXPORT void __tsan_destroy_fiber(void *fiber) {
    (void)fiber;
}
EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
    struct task *task = rt.current;
    (void)flags;
    if (task == NULL || task->machine != NULL)
        return;
    RELEASE(current_fiber(task), false);
    task->annotated.fiber = (uint64_t)fiber;
    ACQUIRE(fiber, false);
}

/* --- the rest ------------------------------------------------------------------------------- */

/* As long as the kernel would take it. */
EXPORT void AnnotateThreadName(const char *file, int line, const char *name) {
    char cut[16] = "";
    (void)file, (void)line;
    strncpy(cut, name, sizeof cut - 1);
    pthread_setname_np(pthread_self(), cut);
}

EXPORT void *__tsan_external_register_tag(const char *type) {
    return (void *)type;
}
EXPORT void __tsan_external_read(void *at, void *caller, void *tag) {
    (void)tag;
    access_for((uint64_t)at, 1, false, (uint64_t)caller);
}
EXPORT void __tsan_external_write(void *at, void *caller, void *tag) {
    (void)tag;
    access_for((uint64_t)at, 1, true, (uint64_t)caller);
}
