/* atomic_functions.c - functions whose names begin with __VERIFIER_atomic_ are atomic sections,
 * from entry to return, by the convention of SV-COMP.
 *
 * The functions are found by their symbols in the program's file, before main. A program without
 * them pays nothing. The return address of __tsan_func_entry tells which function is entered.
 * `heddle cc` keeps these functions from being inlined. If they are nested, the outermost one
 * counts. The section ends when the function returns, or when the task is seen in a frame above
 * it, after a longjmp.
 *
 * Left out: such functions in libraries and in stripped programs, and inlined ones
 * (always_inline). */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "substrates/native/interpose.h"
#include "substrates/native/tasks/section.h"
#include "substrates/native/tasks/stack_room.h"

static const char prefix[] = "__VERIFIER_atomic_";

enum { FUNCTIONS_MAX = 256 };
uint32_t atomic_function_count;
static struct address_range functions[FUNCTIONS_MAX];

/* --- before main: the symbols --------------------------------------------------------------- */

static int note_bias(struct dl_phdr_info *info, size_t size, void *bias) {
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the program comes first */
}

/* In C++ the name follows its length: _ZL23__VERIFIER_atomic_leavePv. */
static const char *plain_name(const char *name, size_t *length) {
    *length = strlen(name);
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    name += name[2] == 'L' ? 3 : 2;
    for (*length = 0; *name >= '0' && *name <= '9' && *length < 1000; name++)
        *length = *length * 10 + (size_t)(*name - '0');
    return name;
}

/* __VERIFIER_atomic_begin and _end are calls within a function, even if the program defines them
 * itself. */
static bool is_section(const char *name) {
    size_t length;
    name = plain_name(name, &length);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    name += sizeof prefix - 1;
    length -= sizeof prefix - 1;
    return !(length == 5 && strncmp(name, "begin", 5) == 0) &&
           !(length == 3 && strncmp(name, "end", 3) == 0);
}

static void add_symbols(const char *file, const ElfW(Shdr) * table, const ElfW(Shdr) * names,
                        uint64_t bias) {
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)(file + table->sh_offset);
    const char *text = file + names->sh_offset;
    for (uint64_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        bool function = ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_size > 0;
        if (function && is_section(text + symbols[i].st_name) &&
            atomic_function_count < FUNCTIONS_MAX)
            functions[atomic_function_count++] =
                (struct address_range){bias + symbols[i].st_value, symbols[i].st_size};
    }
}

static void read_symbols(const char *file, uint64_t size) {
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
    uint64_t bias = 0;
    if (header->e_shoff == 0 || header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > size)
        return;
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff);
    dl_iterate_phdr(note_bias, &bias);
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
            continue;
        const ElfW(Shdr) *names = &sections[sections[i].sh_link];
        bool whole = sections[i].sh_offset + sections[i].sh_size <= size &&
                     names->sh_offset + names->sh_size <= size;
        if (whole && memmem(file + names->sh_offset, names->sh_size, prefix, sizeof prefix - 1))
            add_symbols(file, &sections[i], names, bias);
    }
}

void atomic_functions_find(void) {
    struct stat about;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && about.st_size > (long)sizeof(ElfW(Ehdr))) {
        char *file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            read_symbols(file, (uint64_t)about.st_size);
            munmap(file, (size_t)about.st_size);
        }
    }
    close(fd);
}

/* --- in the program ------------------------------------------------------------------------- */

static bool is_inside(uint64_t pc) {
    for (uint32_t i = 0; i < atomic_function_count; i++)
        if (in_range(&functions[i], pc))
            return true;
    return false;
}

/* Closes the sections that were opened since the function was entered. */
static void leave(struct task *task, uint64_t pc) {
    task->section.frame = 0;
    while (task->section.depth > task->section.outer)
        section_end(pc);
}

bool atomic_function_left(struct task *task) {
    if (task->section.frame == 0 || task->calls.frame <= task->section.frame ||
        !own_stack(task, task->calls.frame))
        return false;
    struct op op = task->op;
    const struct wait_ops *wait = task->wait;
    struct object *object = task->object;
    leave(task, op.pc);
    task->op = op;
    task->wait = wait;
    task->object = object;
    return task->section.depth == 0;
}

void atomic_function_abandoned(struct task *task) {
    if (task->section.frame != 0)
        leave(task, task->op.pc);
}

/* Both functions are called by a jump (plain.c), so their return address is the program's. */
CLEARS_REGISTERS void atomic_function_entered(struct task *task) {
    uint64_t pc = CALLER, frame = task->calls.frame;
    if (task->machine != NULL)
        return;
    if (task->section.frame != 0 && frame > task->section.frame)
        leave(task, pc);
    if (task->section.frame != 0 || !is_inside(pc))
        return;
    uint32_t outer = task->section.depth;
    section_begin(pc);
    task->section.outer = outer;
    task->section.frame = frame;
    task->section.calls = task->calls.depth;
}

CLEARS_REGISTERS void atomic_function_exited(struct task *task) {
    uint64_t pc = CALLER, frame = task->calls.frame;
    if (task->section.frame == 0)
        return;
    bool itself = task->calls.depth + 1 == task->section.calls && is_inside(pc);
    if (itself || frame > task->section.frame)
        leave(task, pc);
}
