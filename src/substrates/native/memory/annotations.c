/* annotations.c - the annotations by which a program informs ThreadSanitizer:
 * sanitizer/tsan_interface.h and the dynamic annotations. We believe them.
 *
 * Order: a release at an address happens before a later acquire at that address. Both are
 * operations, since their order matters: if the acquire comes first, there is no such edge, and
 * perhaps a race. A lock of the program's own making is released before it is unlocked, and
 * acquired after it is locked. The code in between is treated as usual: its atomics are
 * operations, and they order too. We do not look for misuse of such a lock, nor count how often
 * it is locked (__tsan_mutex_pre_unlock returns 1).
 *
 * Ignored accesses: those between Annotate...Begin and ...End, those inside the functions of an
 * annotated lock, and those where a benign race was declared. Their races are no findings, but
 * the verdict says if there was one (session->result.observed.annotated). Ignored
 * synchronisation makes atomics relaxed.
 *
 * Fibers: the code of one thread is in order, whichever fiber it belongs to, as the standard
 * says, also with __tsan_switch_to_fiber_no_sync. A fiber that goes on in another thread takes
 * its knowledge along. */
#define _GNU_SOURCE
#include "substrates/native/memory/annotations.h"

#include <pthread.h>
#include <string.h>

#include "base/fingerprint.h"
#include "base/narrow.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/program/control.h"
#include "substrates/native/tasks/operation.h"

enum {
    BENIGN_MAX = 256,
    /* flags of __tsan_mutex_* */
    MUTEX_READ_LOCK = 1 << 3,
    MUTEX_TRY_LOCK_FAILED = 1 << 5,
};

/* A handle of a fiber is a name, not memory: it is made of the task and the number of the fiber
 * among those that the task has created. */
#define FIBER_BASE ((uint64_t)0x6f0000000000)
#define FIBERS_SHIFT 20

struct benign {
    uint32_t count;
    struct range {
        uint64_t start, size;
    } ranges[BENIGN_MAX];
};

static struct benign benign_before_main;
static struct scratch_root benign_root; /* a struct benign, of this execution */

/* --- order ---------------------------------------------------------------------------------- */

static void order(enum op_kind kind, uint64_t address, bool reader, uint64_t pc) {
    struct task *task = rt.current;
    if (task == NULL || task->machine != NULL)
        return;
    struct op op = {.kind = kind, .object = address, .reader = reader, .pc = pc};
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
    return benign_before_main.count > 0 || benign_root.at != NULL;
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
                   is_benign(benign_root.at, address, size);
    return write ? (ignored ? IGNORED_WRITE : PLAIN_WRITE) : (ignored ? IGNORED_READ : PLAIN_READ);
}

/* Annotations of a program without a session are of no use. Races beyond the table are reported. */
static void add_benign(const volatile void *at, uint64_t size) {
    struct benign *benign = &benign_before_main;
    if (control.absent || (control.taken && rt.current == NULL))
        return;
    if (rt.current != NULL)
        benign = scratch_at(&benign_root, sizeof *benign);
    if (benign->count < BENIGN_MAX && !is_benign(benign, (uint64_t)at, saturate_u32(size)))
        benign->ranges[benign->count++] = (struct range){(uint64_t)at, size};
    for (uint32_t i = 0; rt.current != NULL && i < live_tasks.count; i++)
        settle(live_task(i));
}

void annotations_inherit(struct task *child) {
    settle(child);
}

void annotations_fingerprint(struct fingerprint *out) {
    const struct benign *benign = benign_root.at;
    if (benign != NULL)
        fingerprint_add(out, benign->ranges, benign->count * sizeof *benign->ranges);
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
    RELEASE(fiber, false); /* it knows what its creator knows */
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

/* As many characters as the kernel would take. */
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
