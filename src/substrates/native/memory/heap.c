/* heap.c - the program's heap: one arena for each task, at a fixed place. Blocks are never
 * reused within an execution.
 *
 * So the address of a block depends on the task that allocated it and on how many blocks the
 * task had before, not on the schedule. Use after free, double free and overflow are seen. Each
 * block has a header before it and a gap behind it. A shadow byte for each eight bytes says how
 * many of them may be touched. New memory is filled with HEAP_FILL, so that reading it
 * uninitialised gives the same value every time. Freed memory keeps its content, except that a
 * large block is given back to the kernel. Our own allocations (for the parked threads) come
 * from an arena that is never reset. */
#define _GNU_SOURCE
#include "substrates/native/memory/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "base/narrow.h"
#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/memory.h"
#include "substrates/native/native.h"
#include "substrates/native/program/control.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/stack.h"

enum {
    SHADOW_OPEN = 0,   /* 1..7: only the first 1..7 bytes may be touched */
    SHADOW_GAP = 0xfa, /* a header, or the gap behind a block */
    SHADOW_FREED = 0xfd,
    GAP = 16,
    FREE_CHECKED = 64 << 10, /* a free counts as a write of at most this many bytes */
};
#define BLOCK_LIVE 0x6c697665u
#define BLOCK_FREED 0x66726565u
#define FRESH_FROM ((size_t)1 << 20) /* from this size on, memory comes zeroed from the kernel */

struct block {
    uint64_t size;
    uint32_t task;
    uint32_t state;
    uint64_t allocated_at, freed_at;
    uint32_t freed_by;
    uint32_t unused[3]; /* a multiple of 16 */
};

static uint64_t used[HEAP_ARENAS]; /* bytes of each arena */
static uint64_t kept[HEAP_ARENAS]; /* of these, bytes from before main */
static bool mapped[HEAP_ARENAS];
static uint64_t total; /* bytes allocated in this execution, with headers and gaps */

static uint8_t *shadow_of(uint64_t address) {
    return (uint8_t *)(HEAP_SHADOW + ((address - HEAP_BASE) >> 3));
}

static uint64_t arena_at(uint32_t arena) {
    return HEAP_BASE + arena * HEAP_ARENA;
}

static void map_arena(uint32_t arena) {
    uint64_t start = arena_at(arena);
    memory_map(start, HEAP_ARENA);
    memory_map((uint64_t)shadow_of(start), HEAP_ARENA / 8);
    mapped[arena] = true;
}

/* Before main every allocation belongs to the first task. Our own code has an arena for itself. */
static uint32_t current_arena(void) {
    if (rt.current != NULL)
        return rt.current->id;
    return rt.session != NULL && control.taken ? HEAP_INTERNAL : 0;
}

static void mark_block(uint64_t start, size_t size) {
    uint8_t *shadow = shadow_of(start);
    size_t whole = size / 8, rest = size % 8;
    memset(shadow - sizeof(struct block) / 8, SHADOW_GAP, sizeof(struct block) / 8);
    memset(shadow, SHADOW_OPEN, whole);
    if (rest)
        shadow[whole++] = (uint8_t)rest;
    memset(shadow + whole, SHADOW_GAP, GAP / 8);
}

/* Records the stack of the allocation, to name the block in reports. The record is asked for in
 * every execution and leaves nothing on the task's own stack (native_unseen), like the stack of
 * an event. */
static struct heap_block recorded;

static void record_block(void *pc) {
    recorded.depth = task_stack(rt.current, (uint64_t)pc, recorded.pcs, HEAP_BLOCK_FRAMES);
    heap_blocks_add(rt.session->live.current, &recorded);
}

static void note_block(uint64_t start, size_t size, uint64_t pc) {
    recorded.start = start;
    recorded.size = size;
    system_unseen(&native_system, rt.host->evidence ? record_block : NULL, (void *)pc);
}

/* The C library's own allocator, under names that no program interposes. It serves a program that
 * is started without a session: such a program has real threads, and may run for long. */
extern void *__libc_memalign(size_t alignment, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static void *allocate(size_t size, size_t alignment, uint64_t pc) {
    uint32_t arena = current_arena();
    if (control.absent)
        return __libc_memalign(alignment, size);
    if (rt.current != NULL && rt.current->machine != NULL)
        machine_allocates(pc);
    if (!mapped[arena])
        map_arena(arena);
    uint64_t at = arena_at(arena) + used[arena] + sizeof(struct block);
    at = (at + alignment - 1) & ~(uint64_t)(alignment - 1);
    uint64_t end = at + ((size + 7) & ~(uint64_t)7) + GAP;
    uint64_t limit = rt.session != NULL ? rt.session->request.options.memory_limit : 0;
    uint64_t now_used = ((end + 15) & ~(uint64_t)15) - arena_at(arena);
    bool over = size > HEAP_ARENA / 2 || now_used > HEAP_ARENA ||
                (limit && rt.current != NULL && total + now_used - used[arena] > limit);
    if (over) {
        if (rt.current != NULL)
            noted("malloc", "returned NULL: over the memory limit (--memory)", pc);
        errno = ENOMEM;
        return NULL;
    }
    total += now_used - used[arena];
    used[arena] = now_used;
    struct block *block = (struct block *)at - 1;
    *block = (struct block){.size = size, .task = arena, .state = BLOCK_LIVE, .allocated_at = pc};
    mark_block(at, size);
    if (rt.current != NULL) {
        rt.current->effects++;
        note_block(at, size, pc);
    }
    return (void *)at;
}

/* Whole pages are given back. The edges, whose pages other blocks may share, are overwritten. */
static void clear_large(void *memory, size_t size) {
    uint64_t start = ((uint64_t)memory + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    uint64_t end = ((uint64_t)memory + size) & ~(uint64_t)(PAGE - 1);
    memory_discard(start, end);
    memset(memory, 0, start - (uint64_t)memory);
    memset((void *)end, 0, (uint64_t)memory + size - end);
}

static void *fill(void *memory, size_t size, int value) {
    if (memory == NULL || size == 0)
        return memory;
    if (size < FRESH_FROM)
        return memset(memory, value, size);
    clear_large(memory, size);
    return memory;
}

static struct block *block_of(void *memory) {
    return (struct block *)memory - 1;
}

static void check_block(void *memory, const char *call, uint64_t pc) {
    struct task *task = rt.current;
    struct block *block = block_of(memory);
    uint64_t address = (uint64_t)memory;
    if (task == NULL)
        return;
    if (!in_heap(address) || (address & 7) ||
        (block->state != BLOCK_LIVE && block->state != BLOCK_FREED))
        found(task, FINDING_HEAP, address, pc, "%s of an address that is no heap block", call);
    if (block->state == BLOCK_FREED) {
        struct finding finding = {.kind = FINDING_HEAP, .task = task->id, .object = address};
        rt.current = NULL;
        strcpy(finding.text, "double free");
        finding_place(&finding, task, pc, "second free");
        finding.stacks[finding.stack_count++] = (struct finding_stack){
            .title = "first free", .task = block->freed_by, .pc = block->freed_at};
        found_with(&finding);
    }
}

static void release(void *memory, uint64_t pc) {
    struct block *block = block_of(memory);
    struct task *task = rt.current;
    if (memory == NULL)
        return;
    if (control.absent) {
        if (!in_heap((uint64_t)memory))
            __libc_free(memory);
        return;
    }
    if (!in_heap((uint64_t)memory) && task == NULL)
        return; /* allocated before our own malloc was there */
    check_block(memory, "free", pc);
    if (task != NULL && block->size > 0) {
        uint64_t size = block->size < FREE_CHECKED ? block->size : FREE_CHECKED;
        if (plain_accesses
                .explored) { /* an operation like any other write: other tasks may come before it */
            access_for((uint64_t)memory, size, true, pc);
            check_block(memory, "free", pc);
        } else if (live_tasks.concurrent) {
            rt.host->ops->access(rt.host, task->id, (uint64_t)memory, saturate_u32(size),
                                 PLAIN_FREE, pc);
        }
        task->effects++;
    }
    block->state = BLOCK_FREED;
    block->freed_at = pc;
    block->freed_by = task ? task->id : 0;
    memset(shadow_of((uint64_t)memory), SHADOW_FREED, (block->size + 7) / 8);
    if (block->size >= FRESH_FROM && total >= block->size) { /* its addresses are not used again */
        clear_large(memory, block->size);
        total -= block->size;
    }
}

/* --- what may be touched -------------------------------------------------------------------- */

/* The block to which a freed or gap granule belongs. Its header is in the nearest gap before it. */
static struct block *block_around(uint64_t address) {
    uint64_t at = address & ~(uint64_t)7;
    uint64_t arena = HEAP_BASE + ((address - HEAP_BASE) / HEAP_ARENA) * HEAP_ARENA;
    while (at > arena && *shadow_of(at) == SHADOW_GAP)
        at -= 8;
    while (at > arena && *shadow_of(at) != SHADOW_GAP)
        at -= 8;
    return (struct block *)(at + 8) - 1;
}

static _Noreturn void bad_access(struct task *task, uint64_t address, uint32_t size, bool write,
                                 uint64_t pc) {
    struct block *block = block_around(address);
    struct finding finding = {.kind = FINDING_HEAP, .task = task->id, .object = address};
    bool freed = *shadow_of(address) == SHADOW_FREED;
    rt.current = NULL;
    if (freed && rt.session->request.options.keep_going && live_tasks.concurrent &&
        rt.host->wants_accesses)
        /* The access may race with the free, which is a finding of its own. */
        rt.host->ops->access(rt.host, task->id, address, size, write ? PLAIN_WRITE : PLAIN_READ,
                             pc);
    snprintf(finding.text, sizeof finding.text, "%s of %u byte%s %s a block of %llu byte%s",
             write ? "write" : "read", size, size == 1 ? "" : "s",
             freed ? "after free of" : "outside", (unsigned long long)block->size,
             block->size == 1 ? "" : "s");
    finding_place(&finding, task, pc, write ? "write" : "read");
    struct finding_stack *other = &finding.stacks[finding.stack_count++];
    strcpy(other->title, freed ? "freed" : "allocated");
    other->task = freed ? block->freed_by : block->task;
    other->pc = freed ? block->freed_at : block->allocated_at;
    found_with(&finding);
}

/* Returns the first of these bytes that the program must not touch, or 0. */
static inline uint64_t first_closed(uint64_t address, uint32_t size) {
    for (uint64_t at = address; at < address + size; at = (at | 7) + 1) {
        uint8_t shadow = *shadow_of(at);
        uint64_t last = address + size - 1 < (at | 7) ? address + size - 1 : (at | 7);
        if (shadow != SHADOW_OPEN && (shadow > 7 || (last & 7) >= shadow))
            return at;
    }
    return 0;
}

void heap_check(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    uint64_t closed = first_closed(address, size);
    if (closed != 0)
        bad_access(task, closed, size, write, pc);
}

bool heap_is_live(uint64_t address, uint32_t size) {
    return first_closed(address, size) == 0;
}

/* --- between executions --------------------------------------------------------------------- */

/* Blocks from before main belong to the program's initial state. New blocks begin on a new page,
 * so that their addresses are the same however executions are kept apart. */
void heap_keep(void) {
    if (!mapped[0])
        map_arena(0);
    kept[0] = used[0] = (used[0] + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

void heap_track(void) {
    if (kept[0] == 0)
        return;
    memory_track(arena_at(0), arena_at(0) + kept[0]);
    memory_track((uint64_t)shadow_of(arena_at(0)),
                 (uint64_t)shadow_of(arena_at(0) + kept[0] + 8 * PAGE));
}

static void cut_arena(uint32_t arena, uint64_t size) {
    uint64_t from = arena_at(arena) + size, to = arena_at(arena) + used[arena];
    if (from < to && to - from > FRESH_FROM)
        memory_discard(from, to);
    if (from < to)
        fill(shadow_of(from), (to - from) / 8, 0);
    used[arena] = size;
}

static void cut_arenas(uint32_t first) {
    for (uint32_t arena = first; arena < rt.session->result.tasks.count; arena++)
        if (mapped[arena])
            cut_arena(arena, kept[arena]);
}

void heap_restore(void) {
    cut_arenas(0);
    total = 0;
}

void heap_write(struct image *image) {
    image_write_number(image, total);
    image_write_number(image, rt.session->result.tasks.count);
    for (uint32_t arena = 0; arena < rt.session->result.tasks.count; arena++) {
        uint64_t from = arena_at(arena) + kept[arena], size = used[arena] - kept[arena];
        image_write_number(image, used[arena]);
        if (size == 0)
            continue;
        image_write(image, (void *)from, size);
        image_write(image, shadow_of(from), size / 8);
    }
}

/* Freed blocks count too, with the task that freed them, because the finding of a second free
 * names it. */
void heap_fingerprint(struct fingerprint *out) {
    for (uint32_t arena = 0; arena < rt.session->result.tasks.count; arena++) {
        uint64_t from = arena_at(arena) + kept[arena], size = used[arena] - kept[arena];
        if (size == 0)
            continue;
        struct fingerprint one = {{from, size}};
        fingerprint_add(&one, (void *)from, size);
        fingerprint_merge(out, &one);
    }
}

void heap_read(struct image *image) {
    total = image_read_number(image);
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t arena = 0; arena < count; arena++) {
        uint64_t from = arena_at(arena) + kept[arena], then = image_read_number(image);
        uint64_t size = then - kept[arena];
        cut_arena(arena, then);
        if (size == 0)
            continue;
        image_read(image, (void *)from, size);
        image_read(image, shadow_of(from), size / 8);
    }
    cut_arenas(count);
}

/* --- the interface of malloc ---------------------------------------------------------------- */

EXPORT void *malloc(size_t size) {
    return fill(allocate(size, 16, CALLER), size, HEAP_FILL);
}

EXPORT void free(void *memory) {
    release(memory, CALLER);
}

EXPORT void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return fill(allocate(bytes, 16, CALLER), bytes, 0);
}

static void *resize(void *memory, size_t size, uint64_t pc) {
    if (memory == NULL)
        return fill(allocate(size, 16, pc), size, HEAP_FILL);
    if (control.absent && !in_heap((uint64_t)memory))
        return __libc_realloc(memory, size);
    check_block(memory, "realloc", pc);
    void *moved = fill(allocate(size, 16, pc), size, HEAP_FILL);
    if (moved == NULL)
        return NULL;
    uint64_t old = block_of(memory)->size;
    memcpy(moved, memory, old < size ? old : size);
    release(memory, pc);
    return moved;
}

EXPORT void *realloc(void *memory, size_t size) {
    return resize(memory, size, CALLER);
}

EXPORT void *reallocarray(void *memory, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(memory, bytes, CALLER);
}

EXPORT void *memalign(size_t alignment, size_t size) {
    return fill(allocate(size, alignment < 16 ? 16 : alignment, CALLER), size, HEAP_FILL);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    return fill(allocate(size, alignment < 16 ? 16 : alignment, CALLER), size, HEAP_FILL);
}

EXPORT int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *block = fill(allocate(size, alignment < 16 ? 16 : alignment, CALLER), size, HEAP_FILL);
    if (block == NULL)
        return ENOMEM;
    *memory = block;
    return 0;
}

void *heap_pages(size_t size, uint64_t pc) {
    return fill(allocate(size, PAGE, pc), size, 0);
}

void heap_pages_free(void *pages, size_t size, uint64_t pc) {
    const struct block *block = block_of(pages);
    if (block->state == BLOCK_LIVE && block->size == size)
        release(pages, pc);
}

EXPORT void *valloc(size_t size) {
    return fill(allocate(size, PAGE, CALLER), size, HEAP_FILL);
}

EXPORT void *pvalloc(size_t size) {
    size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    return fill(allocate(size, PAGE, CALLER), size, HEAP_FILL);
}

EXPORT size_t malloc_usable_size(void *memory) {
    if (control.absent && !in_heap((uint64_t)memory))
        return real.malloc_usable_size(memory);
    return memory == NULL ? 0 : block_of(memory)->size;
}
