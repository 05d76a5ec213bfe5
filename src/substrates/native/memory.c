/* memory.c - a new execution is a memory reset, not a fork.
 *
 * At the entry of main the writable segments of the program and of its libraries (all but ours) are
 * write-protected. The first write to a page, ever, faults: the page is copied aside, made writable
 * for good, and from then on put back before each execution. So pages that no execution writes cost
 * nothing, and a gigabyte of .bss is no problem. Small segments of the program itself, and the page
 * that the kernel writes to (rseq, in the first thread's control block), are taken as written from
 * the start. Where the kernel would write to a protected page for the program, memory_touch() makes
 * the fault happen first (I/O calls, see calls_io.c). */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "substrates/native/runtime.h"

enum { REGIONS = 2048, SMALL_PAGES = 8, SAVED_PAGES = 1 << 20 };

struct region {
    uint64_t start, end; /* page aligned */
};

struct saved_page {
    char *page;
    char *copy;
};

static struct region regions[REGIONS];
static uint32_t region_count;
static struct saved_page *saved; /* mapped sparsely: pages that some execution wrote */
static uint32_t saved_count;
static char *copies; /* the copies, one after the other */

void *memory_map(uint64_t at, uint64_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != 0 ? MAP_FIXED : 0);
    long start = native_syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(start > 0 && (at == 0 || (uint64_t)start == at));
    return (void *)start;
}

void memory_discard(uint64_t start, uint64_t end) {
    start &= ~(uint64_t)(PAGE - 1);
    end = (end + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    native_syscall(SYS_madvise, start, end - start, MADV_DONTNEED);
}

static void protect(uint64_t start, uint64_t end, int protection) {
    CHECK(native_syscall(SYS_mprotect, start, end - start, protection) == 0);
}

static void save_page(uint64_t page) {
    CHECK(saved_count < SAVED_PAGES);
    struct saved_page *entry = &saved[saved_count];
    entry->page = (char *)page;
    entry->copy = copies + (uint64_t)saved_count * PAGE;
    memcpy(entry->copy, entry->page, PAGE);
    saved_count++;
}

static struct region *region_of(uint64_t address) {
    for (uint32_t i = 0; i < region_count; i++)
        if (address >= regions[i].start && address < regions[i].end)
            return &regions[i];
    return NULL;
}

static bool is_saved(uint64_t page) {
    for (uint32_t i = 0; i < saved_count; i++)
        if (saved[i].page == (char *)page)
            return true;
    return false;
}

bool memory_fault(uint64_t address) {
    uint64_t page = address & ~(uint64_t)(PAGE - 1);
    if (!rt.tracking_faults || region_of(address) == NULL || is_saved(page))
        return false;
    save_page(page);
    protect(page, page + PAGE, PROT_READ | PROT_WRITE);
    return true;
}

void memory_touch(void *start, size_t size) {
    uint64_t at = (uint64_t)start, end = at + size;
    if (!rt.tracking_faults || size == 0)
        return;
    for (at &= ~(uint64_t)(PAGE - 1); at < end; at += PAGE)
        memory_fault(at);
}

static void add_region(uint64_t start, uint64_t end) {
    CHECK(region_count < REGIONS);
    regions[region_count++] = (struct region){start, end};
}

static void track(uint64_t start, uint64_t end, bool written) {
    start &= ~(uint64_t)(PAGE - 1);
    end = (end + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    if (start >= end)
        return;
    add_region(start, end);
    if (!written)
        protect(start, end, PROT_READ);
    for (uint64_t page = start; written && page < end; page += PAGE)
        save_page(page);
}

void memory_track(uint64_t start, uint64_t end) {
    if (rt.tracking_faults)
        track(start, end, false);
}

/* The loader holds a lock of its own while it names the modules. Protecting its memory under that
 * would save the lock as held, for every execution: that comes afterwards. */
static struct {
    uint64_t start, end;
    bool written;
} planned[REGIONS];
static uint32_t planned_count;

static void plan(uint64_t start, uint64_t end, bool written) {
    CHECK(planned_count < REGIONS);
    planned[planned_count].start = start;
    planned[planned_count].end = end;
    planned[planned_count++].written = written;
}

/* The part of a segment that the loader made read-only after relocation does not count. */
static void track_segment(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, bool ours) {
    uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *relro = &info->dlpi_phdr[i];
        uint64_t relro_end = info->dlpi_addr + relro->p_vaddr + relro->p_memsz;
        if (relro->p_type == PT_GNU_RELRO && relro_end > start && relro_end <= end)
            start = relro_end & ~(uint64_t)(PAGE - 1);
    }
    plan(start, end, ours && end - start <= SMALL_PAGES * PAGE);
}

static bool contains(const struct dl_phdr_info *info, uint64_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz)
            return true;
    }
    return false;
}

static int track_module(struct dl_phdr_info *info, size_t size, void *first) {
    bool is_program = *(bool *)first;
    (void)size;
    *(bool *)first = false;
    if (contains(info, (uint64_t)&rt))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W))
            track_segment(info, segment, is_program);
    }
    return 0;
}

/* The first thread's control block with its thread-local storage before it. */
static void track_first_thread(void) {
    uint64_t block = read_fs();
    track(block - rt.tls_size, block + PAGE, true);
}

void memory_save(void) {
    bool first = true;
    saved = memory_map(0, SAVED_PAGES * sizeof *saved);
    copies = memory_map(0, (uint64_t)SAVED_PAGES * PAGE);
    rt.tracking_faults = true;
    track_first_thread();
    heap_save();
    dl_iterate_phdr(track_module, &first);
    for (uint32_t i = 0; i < planned_count; i++)
        track(planned[i].start, planned[i].end, planned[i].written);
}

void memory_restore(void) {
    for (uint32_t i = 0; i < saved_count; i++)
        memcpy(saved[i].page, saved[i].copy, PAGE);
}

void memory_save_again(void) {
    for (uint32_t i = 0; i < saved_count; i++)
        memcpy(saved[i].copy, saved[i].page, PAGE);
}
