/* memory.c - a new execution is a memory reset, not a fork.
 *
 * At the entry of main the writable segments of the program and of its libraries (all but ours)
 * are write-protected. The first write to a page faults: the page is copied aside (unless it is
 * all zeros), becomes writable for good, and is put back before each execution from then on. So
 * pages that no execution writes cost nothing, and a gigabyte of .bss is no problem. Small
 * segments of the program itself, and the page that the kernel writes to (rseq, in the first
 * thread's control block), are treated as written from the start. Where the kernel would write
 * to a protected page for the program, memory_touch() makes the fault happen first (calls of
 * input and output, see calls/io.c). */
#define _GNU_SOURCE
#include "substrates/native/memory/memory.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/fingerprint.h"
#include "base/image.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/outcome.h"

enum {
    REGIONS = 2048,
    SMALL_PAGES = 8,
    CONTROL_BLOCK = 2304, /* at least; the last page of the block may be the last of its mapping */
    SAVED_PAGES = 1 << 20,
    MARKED_PAGES = 1 << 26,
    /* After this many faults of a region, CHUNK pages are opened at a time. The kernel splits a
     * mapping at each change of protection, and allows 65,530 mappings. */
    SINGLE_FAULTS = 4096,
    CHUNK = 64,
};

struct region {
    uint64_t start, end; /* page aligned */
    uint64_t from, to;   /* the part that is put back */
    bool *saved;         /* a mark for each page */
    bool written; /* the whole region counts as written from the start: nothing is protected */
    uint32_t faults;
};

/* A page, or the part of it that belongs to the region. */
struct saved_page {
    char *page;
    char *copy; /* NULL: the page was all zeros */
    uint32_t size;
};

static bool is_saved;
static struct region regions[REGIONS];
static uint32_t region_count;
static struct saved_page *saved; /* mapped sparsely; pages that some execution wrote */
static uint32_t saved_count;
static char *copies; /* the copies, one after the other */
static uint32_t copy_count;
static bool *marks; /* mapped sparsely; the marks of all regions */
static uint64_t mark_count;

bool memory_is_saved(void) {
    return is_saved;
}

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

/* Both are multiples of eight. */
static bool is_zero(const char *start, uint32_t size) {
    const uint64_t *words = (const uint64_t *)start;
    for (uint32_t i = 0; i < size / sizeof *words; i++)
        if (words[i] != 0)
            return false;
    return true;
}

static char *copy_of(const char *page, uint32_t size) {
    char *copy = copies + (uint64_t)copy_count++ * PAGE;
    return memcpy(copy, page, size);
}

static void save_page(struct region *region, uint64_t page, bool whole) {
    bool *mark = &region->saved[(page - region->start) / PAGE];
    if (*mark)
        return;
    if (saved_count == SAVED_PAGES)
        unsupported("static data", 0, "the program writes to more than 4 GB of it");
    uint64_t from = page > region->from ? page : region->from;
    uint64_t to = page + PAGE < region->to ? page + PAGE : region->to;
    bool zero = !whole && is_zero((char *)from, (uint32_t)(to - from));
    *mark = true;
    saved[saved_count++] = (struct saved_page){
        .page = (char *)from,
        .copy = zero ? NULL : copy_of((char *)from, (uint32_t)(to - from)),
        .size = (uint32_t)(to - from),
    };
}

static struct region *region_of(uint64_t address) {
    for (uint32_t i = 0; i < region_count; i++)
        if (address >= regions[i].start && address < regions[i].end)
            return &regions[i];
    return NULL;
}

static void open_pages(struct region *region, uint64_t start, uint64_t end) {
    if (start < region->start)
        start = region->start;
    if (end > region->end)
        end = region->end;
    for (uint64_t page = start; page < end; page += PAGE)
        save_page(region, page, false);
    protect(start, end, PROT_READ | PROT_WRITE);
}

bool memory_fault(uint64_t address) {
    uint64_t page = address & ~(uint64_t)(PAGE - 1), chunk = page & ~(uint64_t)(CHUNK * PAGE - 1);
    struct region *region = is_saved ? region_of(address) : NULL;
    if (region == NULL || region->saved[(page - region->start) / PAGE])
        return false;
    if (++region->faults <= SINGLE_FAULTS)
        open_pages(region, page, page + PAGE);
    else
        open_pages(region, chunk, chunk + CHUNK * PAGE);
    return true;
}

/* Only pages of regions are visited, because a size can be absurd. */
void memory_touch(void *start, size_t size) {
    uint64_t from = (uint64_t)start & ~(uint64_t)(PAGE - 1), to;
    if (!is_saved || size == 0)
        return;
    if (__builtin_add_overflow((uint64_t)start, size, &to))
        to = UINT64_MAX;
    for (uint32_t i = 0; i < region_count; i++) {
        uint64_t at = from > regions[i].start ? from : regions[i].start;
        for (; at < to && at < regions[i].end; at += PAGE)
            memory_fault(at);
    }
}

/* A region that is written from the start is put back to the byte. Of all others whole pages are
 * put back, since the loader keeps data of its own behind the end of a segment. */
static struct region *add_region(uint64_t from, uint64_t to, bool exactly) {
    struct region *region = &regions[region_count++];
    uint64_t start = from & ~(uint64_t)(PAGE - 1), end = (to + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    CHECK(region_count <= REGIONS && mark_count + (end - start) / PAGE <= MARKED_PAGES);
    *region = (struct region){.start = start,
                              .end = end,
                              .from = exactly ? from & ~(uint64_t)7 : start,
                              .to = exactly ? (to + 7) & ~(uint64_t)7 : end,
                              .saved = marks + mark_count,
                              .written = exactly};
    mark_count += (end - start) / PAGE;
    return region;
}

static void track(uint64_t from, uint64_t to, bool written) {
    if (from >= to)
        return;
    struct region *region = add_region(from, to, written);
    if (!written)
        protect(region->start, region->end, PROT_READ);
    for (uint64_t page = region->start; written && page < region->end; page += PAGE)
        save_page(region, page, true);
}

void memory_track(uint64_t start, uint64_t end) {
    if (is_saved)
        track(start, end, false);
}

/* The loader holds a lock of its own while it lists the modules. If its memory were protected
 * then, the lock would be saved as held, for every execution. So the regions are planned first
 * and protected afterwards. */
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
static void track_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * segment, bool ours) {
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
    if (contains(info, (uint64_t)&is_saved))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W))
            track_segment(info, segment, is_program);
    }
    return 0;
}

/* The first thread's control block, and its thread-local storage, which is in front of it. */
static void track_first_thread(uint64_t storage) {
    uint64_t block = read_fs();
    track(block - storage, block + CONTROL_BLOCK, true);
}

void memory_save(uint64_t storage) {
    bool first = true;
    saved = memory_map(0, SAVED_PAGES * sizeof *saved);
    copies = memory_map(0, (uint64_t)SAVED_PAGES * PAGE);
    marks = memory_map(0, MARKED_PAGES * sizeof *marks);
    is_saved = true;
    track_first_thread(storage);
    heap_track();
    dl_iterate_phdr(track_module, &first);
    for (uint32_t i = 0; i < planned_count; i++)
        track(planned[i].start, planned[i].end, planned[i].written);
}

static void put_back(uint32_t first) {
    for (uint32_t i = first; i < saved_count; i++) {
        const struct saved_page *page = &saved[i];
        if (page->copy != NULL)
            bytes_copy(page->page, page->copy, page->size);
        else if (!is_zero(page->page,
                          page->size)) /* otherwise untouched pages would be given memory */
            bytes_clear(page->page, page->size);
    }
}

void memory_restore(void) {
    put_back(0);
}

void memory_write(struct image *image) {
    image_write_number(image, saved_count);
    for (uint32_t i = 0; i < saved_count; i++)
        image_write(image, saved[i].page, saved[i].size);
}

/* Pages that were written for the first time after the state was saved are as they were at the
 * entry of main. */
void memory_read(struct image *image) {
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t i = 0; i < count; i++)
        image_read(image, saved[i].page, saved[i].size);
    put_back(count);
}

/* A page that is as it was at the entry of main counts as if it had never been written. Whether
 * another execution wrote to it is no part of the state. */
void memory_fingerprint(struct fingerprint *out) {
    for (uint32_t i = 0; i < saved_count; i++) {
        const struct saved_page *page = &saved[i];
        bool same = page->copy != NULL ? memcmp(page->page, page->copy, page->size) == 0
                                       : is_zero(page->page, page->size);
        if (same)
            continue;
        struct fingerprint one = {{(uint64_t)page->page, page->size}};
        fingerprint_add(&one, page->page, page->size);
        fingerprint_merge(out, &one);
    }
}

/* The pages that have changed since memory_restore were changed by us. They are protected again,
 * to see whether executions write to them. */
void memory_save_again(void) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < saved_count; i++) {
        struct saved_page page = saved[i];
        struct region *region = region_of((uint64_t)page.page);
        if (region->written) {
            memcpy(page.copy, page.page, page.size);
            saved[kept++] = page;
            continue;
        }
        region->saved[((uint64_t)page.page - region->start) / PAGE] = false;
        protect((uint64_t)page.page, (uint64_t)page.page + PAGE, PROT_READ);
    }
    saved_count = kept;
}
