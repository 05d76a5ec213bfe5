/* unseen_code.c - see unseen_code.h. The executable sections are disassembled function by function,
 * as the symbols tell. A file without symbols is disassembled from the start of each section.
 *
 * lfence does not count: it orders nothing that another processor could see, and compilers put it
 * into the thunks of indirect calls. */
#define _GNU_SOURCE
#include "cli/names/unseen_code.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/marks.h"

struct function {
    uint64_t address; /* the address; in an object, the offset in its section */
    size_t section;
    const char *name; /* borrowed from the file */
};

struct scan {
    Elf *elf;
    bool object;
    struct function *functions; /* sorted by section and address */
    size_t count;
    struct unseen_code *code;
};

/* --- the functions --- */

static int compare_functions(const void *left, const void *right) {
    const struct function *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void look_at_symbol(struct scan *scan, const GElf_Sym *symbol, const char *name) {
    if (name == NULL || symbol->st_shndx >= SHN_LORESERVE)
        return;
    if (symbol->st_shndx == SHN_UNDEF) {
        scan->code->instrumented |=
            strcmp(name, "__tsan_init") == 0 || strcmp(name, "__tsan_func_entry") == 0;
        return;
    }
    int type = GELF_ST_TYPE(symbol->st_info);
    if (type == STT_FUNC || type == STT_GNU_IFUNC)
        scan->functions[scan->count++] =
            (struct function){symbol->st_value, symbol->st_shndx, name};
}

static void read_symbols(struct scan *scan, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;
    scan->functions = realloc(scan->functions, (scan->count + count + 1) * sizeof *scan->functions);
    CHECK(scan->functions);
    for (size_t i = 0; data != NULL && i < count; i++)
        if (gelf_getsym(data, (int)i, &symbol) != NULL)
            look_at_symbol(scan, &symbol, elf_strptr(scan->elf, header->sh_link, symbol.st_name));
}

static void read_functions(struct scan *scan) {
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(scan->elf, section)) != NULL)
        if (gelf_getshdr(section, &header) != NULL &&
            (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            read_symbols(scan, section, &header);
    if (scan->count > 0)
        qsort(scan->functions, scan->count, sizeof *scan->functions, compare_functions);
}

/* --- the instructions --- */

static void add_place(struct unseen_code *code, const char *function, const char *instruction) {
    if (code->functions < UNSEEN_PLACES) {
        struct unseen_place *place = &code->places[code->functions];
        snprintf(place->function, sizeof place->function, "%s", function);
        snprintf(place->instruction, sizeof place->instruction, "%s", instruction);
    }
    code->functions++;
}

static bool is_unseen(const ZydisDecodedInstruction *instruction) {
    bool in_memory =
        (instruction->attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && instruction->raw.modrm.mod != 3;
    if (instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK)
        return true;
    return (instruction->mnemonic == ZYDIS_MNEMONIC_XCHG && in_memory) ||
           instruction->mnemonic == ZYDIS_MNEMONIC_MFENCE ||
           instruction->mnemonic == ZYDIS_MNEMONIC_SFENCE ||
           instruction->mnemonic == ZYDIS_MNEMONIC_SYSCALL;
}

/* Scans one function. Returns false if it has no such instruction. */
static bool scan_bytes(struct scan *scan, const uint8_t *bytes, uint64_t size, const char *name) {
    static ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    char text[32];
    if (decoder.stack_width == 0)
        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (uint64_t at = 0; at < size;) {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes + at, size - at,
                                                        &instruction))) {
            at++;
            continue;
        }
        at += instruction.length;
        if (!is_unseen(&instruction))
            continue;
        snprintf(text, sizeof text, "%s%s",
                 instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK ? "lock " : "",
                 ZydisMnemonicGetString(instruction.mnemonic));
        add_place(scan->code, name, text);
        return true;
    }
    return false;
}

/* Returns the first function that begins at or after the address. */
static size_t first_function(const struct scan *scan, size_t section, uint64_t address) {
    size_t low = 0, high = scan->count;
    const struct function wanted = {.address = address, .section = section};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_functions(&scan->functions[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void scan_section(struct scan *scan, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_rawdata(section, NULL);
    size_t index = elf_ndxscn(section);
    uint64_t base = scan->object ? 0 : header->sh_addr, at = 0;
    const char *name = "";
    if (data == NULL || data->d_buf == NULL)
        return;
    for (size_t i = first_function(scan, index, base); at < data->d_size; i++) {
        bool more = i < scan->count && scan->functions[i].section == index;
        uint64_t end = more ? scan->functions[i].address - base : data->d_size;
        if (end > at && end <= data->d_size) {
            scan_bytes(scan, (const uint8_t *)data->d_buf + at, end - at, name);
            at = end;
        }
        if (!more)
            break;
        name = scan->functions[i].name;
    }
}

/* --- the marks of `heddle cc` --------------------------------------------------------------- */

static bool is_known(const struct unseen_code *code, const char *function) {
    for (uint32_t i = 0; i < code->functions && i < UNSEEN_PLACES; i++)
        if (strcmp(code->places[i].function, function) == 0)
            return true;
    return false;
}

static void read_marks(struct scan *scan, Elf_Scn *section, const char *instruction) {
    Elf_Data *data = elf_rawdata(section, NULL);
    const char *at = data != NULL ? data->d_buf : NULL, *end = at + (at ? data->d_size : 0);
    for (; at != NULL && at < end && memchr(at, 0, (size_t)(end - at)) != NULL;
         at += strlen(at) + 1)
        if (at[0] != '\0' && !is_known(scan->code, at))
            add_place(scan->code, at, instruction);
}

/* --- the whole file ------------------------------------------------------------------------- */

static bool is_code(const GElf_Shdr *header, const char *name) {
    return header->sh_type == SHT_PROGBITS && (header->sh_flags & SHF_EXECINSTR) != 0 &&
           strncmp(name, ".plt", 4) != 0;
}

static void scan_file(struct scan *scan) {
    size_t names = 0;
    GElf_Ehdr file;
    GElf_Shdr header;
    if (gelf_getehdr(scan->elf, &file) == NULL || elf_getshdrstrndx(scan->elf, &names) != 0)
        return;
    scan->object = file.e_type == ET_REL;
    read_functions(scan);
    Elf_Scn *section = NULL, *marks = NULL, *wide = NULL;
    while ((section = elf_nextscn(scan->elf, section)) != NULL) {
        const char *name = gelf_getshdr(section, &header) != NULL
                               ? elf_strptr(scan->elf, names, header.sh_name)
                               : NULL;
        if (name != NULL && is_code(&header, name))
            scan_section(scan, section, &header);
        if (name != NULL && strcmp(name, MARK_ASSEMBLY) == 0)
            marks = section;
        if (name != NULL && strcmp(name, MARK_WIDE) == 0)
            wide = section;
    }
    if (marks != NULL)
        read_marks(scan, marks, UNSEEN_ASSEMBLY);
    if (wide != NULL)
        read_marks(scan, wide, UNSEEN_WIDE);
}

bool unseen_code_find(struct unseen_code *code, const char *path) {
    struct scan scan = {.code = code};
    memset(code, 0, sizeof *code);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    elf_version(EV_CURRENT);
    scan.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    bool is_elf = scan.elf != NULL && elf_kind(scan.elf) == ELF_K_ELF;
    if (is_elf)
        scan_file(&scan);
    free(scan.functions);
    elf_end(scan.elf);
    close(fd);
    return is_elf;
}

/* The demangler is in the C++ library. Without that library, names stay as they are. */
const char *unseen_demangle(const char *name, char text[UNSEEN_NAME]) {
    typedef char *demangle_function(const char *, char *, size_t *, int *);
    void *library = strncmp(name, "_Z", 2) == 0 ? dlopen("libstdc++.so.6", RTLD_LAZY) : NULL;
    demangle_function *demangle =
        library ? (demangle_function *)dlsym(library, "__cxa_demangle") : NULL;
    char *plain = demangle ? demangle(name, NULL, NULL, NULL) : NULL;
    snprintf(text, UNSEEN_NAME, "%s", plain ? plain : name);
    free(plain);
    return text;
}
