/* section_sight.c - whether all that an atomic section touches is seen.
 *
 * A section depends on what it has touched. So it must not run code whose accesses are not seen:
 * then it counts as one that touches everything (op.unseen). This is decided once, for the whole
 * program. Accesses may be hidden if
 * - the program was not compiled by `heddle cc`
 * - it has inline assembly that accesses memory, or accesses that the compiler does not report
 *   (the marks of `heddle cc`)
 * - instrumented code refers to a function that is neither instrumented nor interposed, unless the
 *   function is one of those that touch nothing that tasks share (section_calls.def)
 *
 * Left out: code without instrumentation that was linked into the program file, and functions that
 * are only found by dlsym. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/marks.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/tasks/section.h"

bool sections_hide = true;

enum { SEEN_MAX = 128 };

/* The modules whose accesses are seen, and this library. */
static struct address_range seen[SEEN_MAX];
static uint32_t seen_count;

static const char *const harmless[] = {
#define HARMLESS(name) #name,
#include "substrates/native/tasks/section_calls.def"
#undef HARMLESS
};

/* --- the relocations of a module ------------------------------------------------------------ */

struct imports {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * relocations[2];
    uint64_t sizes[2];
};

static uint64_t address_of(const struct dl_phdr_info *module, uint64_t value) {
    return value < module->dlpi_addr ? module->dlpi_addr + value : value;
}

static bool find_imports(const struct dl_phdr_info *module, struct imports *imports) {
    *imports = (struct imports){0};
    for (uint32_t i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry =
            (const ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            uint64_t address = address_of(module, entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB)
                imports->symbols = (const ElfW(Sym) *)address;
            else if (entry->d_tag == DT_STRTAB)
                imports->names = (const char *)address;
            else if (entry->d_tag == DT_JMPREL)
                imports->relocations[0] = (const ElfW(Rela) *)address;
            else if (entry->d_tag == DT_PLTRELSZ)
                imports->sizes[0] = entry->d_un.d_val;
            else if (entry->d_tag == DT_RELA)
                imports->relocations[1] = (const ElfW(Rela) *)address;
            else if (entry->d_tag == DT_RELASZ)
                imports->sizes[1] = entry->d_un.d_val;
        }
    }
    return imports->symbols != NULL && imports->names != NULL;
}

/* Returns true if `fits` is true for the name of some function that the module imports. */
static bool any_import(const struct dl_phdr_info *module, bool (*fits)(const char *name)) {
    struct imports imports;
    if (!find_imports(module, &imports))
        return false;
    for (uint32_t part = 0; part < 2; part++)
        for (uint64_t i = 0; i < imports.sizes[part] / sizeof(ElfW(Rela)); i++) {
            uint32_t number = (uint32_t)ELF64_R_SYM(imports.relocations[part][i].r_info);
            const ElfW(Sym) *symbol = &imports.symbols[number];
            if (number != 0 && symbol->st_shndx == SHN_UNDEF &&
                ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT &&
                ELF64_ST_TYPE(symbol->st_info) != STT_TLS && fits(imports.names + symbol->st_name))
                return true;
        }
    return false;
}

/* --- which modules are seen ----------------------------------------------------------------- */

static bool instruments(const char *name) {
    return strcmp(name, "__tsan_init") == 0 || strcmp(name, "__tsan_func_entry") == 0;
}

static bool begins_section(const char *name) {
    return strcmp(name, "heddle_atomic_begin") == 0 || strcmp(name, "__VERIFIER_atomic_begin") == 0;
}

static bool has_address(const struct dl_phdr_info *module, uint64_t address) {
    for (uint32_t i = 0; i < module->dlpi_phnum; i++)
        if (module->dlpi_phdr[i].p_type == PT_LOAD &&
            address - module->dlpi_addr - module->dlpi_phdr[i].p_vaddr <
                module->dlpi_phdr[i].p_memsz)
            return true;
    return false;
}

static void add_seen(const struct dl_phdr_info *module) {
    for (uint32_t i = 0; i < module->dlpi_phnum && seen_count < SEEN_MAX; i++)
        if (module->dlpi_phdr[i].p_type == PT_LOAD)
            seen[seen_count++] = (struct address_range){
                module->dlpi_addr + module->dlpi_phdr[i].p_vaddr, module->dlpi_phdr[i].p_memsz};
}

static int note_module(struct dl_phdr_info *module, size_t size, void *uses) {
    (void)size;
    bool own = has_address(module, (uint64_t)note_module);
    if (!own && any_import(module, begins_section))
        *(bool *)uses = true;
    if (own || any_import(module, instruments))
        add_seen(module);
    return 0;
}

/* --- what may be hidden --------------------------------------------------------------------- */

static bool is_harmless(const char *name) {
    for (uint32_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i], name) == 0)
            return true;
    return false;
}

/* Returns true if a function of that name may touch memory without being seen. */
static bool hides(const char *name) {
    if (is_harmless(name))
        return false;
    uint64_t address = (uint64_t)dlsym(RTLD_DEFAULT, name);
    for (uint32_t i = 0; address != 0 && i < seen_count; i++)
        if (in_range(&seen[i], address))
            return false;
    return address != 0;
}

static bool has_mark(const char *file, uint64_t size) {
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
    if (header->e_shoff == 0 || header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > size ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff);
    const ElfW(Shdr) *names = &sections[header->e_shstrndx];
    if (names->sh_offset + names->sh_size > size)
        return false;
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        const char *name = file + names->sh_offset + sections[i].sh_name;
        if (strcmp(name, MARK_ASSEMBLY) == 0 || strcmp(name, MARK_WIDE) == 0)
            return true;
    }
    return false;
}

static bool is_marked(const char *path) {
    struct stat about;
    bool marked = true; /* in doubt */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    if (fstat(fd, &about) == 0 && about.st_size > (long)sizeof(ElfW(Ehdr))) {
        char *file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            marked = has_mark(file, (uint64_t)about.st_size);
            munmap(file, (size_t)about.st_size);
        }
    }
    close(fd);
    return marked;
}

static int look_for_hidden(struct dl_phdr_info *module, size_t size, void *hidden) {
    (void)size;
    if (!any_import(module, instruments))
        return 0;
    const char *path = module->dlpi_name[0] != '\0' ? module->dlpi_name : "/proc/self/exe";
    if (any_import(module, hides) || is_marked(path))
        *(bool *)hidden = true;
    return 0;
}

void sections_prepare(void) {
    bool uses = atomic_function_count > 0, hidden = false;
    dl_iterate_phdr(note_module, &uses);
    if (!uses || !plain_accesses.instrumented)
        return;
    dl_iterate_phdr(look_for_hidden, &hidden);
    sections_hide = hidden;
}
