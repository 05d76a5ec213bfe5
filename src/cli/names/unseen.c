/* unseen.c - see unseen.h.
 *
 * An instrumented file is reported if it has instructions that synchronise (unseen_code.h): these
 * come from inline assembly, or from an archive that was linked in. A library that is not
 * instrumented is reported if it has such instructions, or if instrumented code calls it or opens
 * it by dlopen, because it may then use memory that tasks share. The libraries in the table are
 * known: Heddle sees what they do where a program calls them, and docs/CONTROLLED.md describes the
 * exceptions. */
#define _GNU_SOURCE
#include "cli/names/unseen.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/names/unseen_code.h"
#include "engine/result.h"

enum { NAMED_MAX = 2 };

static const struct known {
    const char *name;
    const char *why;
} known[] = {
    {"libc.so", "its calls are interposed where they synchronise"},
    {"ld-linux", "loads, before main"},
    {"linux-vdso", "clocks, which are interposed"},
    {"libm.so", "computes"},
    {"libpthread.so", "empty since glibc 2.34"},
    {"libdl.so", "likewise"},
    {"librt.so", "likewise"},
    {"libgcc_s.so", "unwinds; its locks are never held across an operation"},
    {"libatomic.so", "atomic operations of all sizes"},
    {"libstdc++.so", "what headers leave to it is interposed: cxx_*.c"},
    {"libheddle.so", "the runtime itself"},
};

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_known(const char *path) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(base_name(path), known[i].name, strlen(known[i].name)) == 0)
            return true;
    return strchr(path, '/') == NULL;
}

/* --- calls between modules --- */

struct names {
    char **list;
    size_t count, capacity;
};

static void add_name(struct names *names, const char *name) {
    if (names->count == names->capacity) {
        names->capacity = names->capacity ? 2 * names->capacity : 64;
        names->list = realloc(names->list, names->capacity * sizeof *names->list);
        CHECK(names->list);
    }
    names->list[names->count] = strdup(name);
    CHECK(names->list[names->count++]);
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void forget_names(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

/* Lists the functions that a file imports from others, or exports. */
static void dynamic_names(struct names *names, const char *path, bool taken) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    while (elf != NULL && (section = elf_nextscn(elf, section)) != NULL) {
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 1; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name != NULL && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                (symbol.st_shndx == SHN_UNDEF) == taken)
                add_name(names, name);
        }
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

static bool have_common_name(const struct names *sorted, const struct names *others) {
    for (size_t i = 0; i < others->count && sorted->count > 0; i++)
        if (bsearch(&others->list[i], sorted->list, sorted->count, sizeof *sorted->list,
                    compare_names) != NULL)
            return true;
    return false;
}

/* --- one file --- */

struct looked {
    struct unseen_code code;
    bool read;
};

/* Writes where the first such instruction is: " (lock xadd in push)". */
static const char *place_text(const struct unseen_code *code, char text[200]) {
    const struct unseen_place *place = &code->places[0];
    char name[UNSEEN_NAME];
    text[0] = '\0';
    if (code->functions > 0)
        snprintf(text, 200, " (%s%s%.60s)", place->instruction, place->function[0] ? " in " : "",
                 unseen_demangle(place->function, name));
    return text;
}

static void add_to_ledger(struct ledger *ledger, const char *path, const struct unseen_code *code) {
    if (ledger->count == LEDGER_MAX)
        return;
    struct ledger_entry *entry = &ledger->entries[ledger->count++];
    memset(entry, 0, sizeof *entry);
    snprintf(entry->call, sizeof entry->call, "%s", base_name(path));
    if (code->instrumented)
        snprintf(entry->why, sizeof entry->why, "%u function%s that no instrumentation covers",
                 code->functions, code->functions == 1 ? "" : "s");
    else if (code->functions > 0)
        snprintf(entry->why, sizeof entry->why,
                 "not compiled by `heddle cc`; %u function%s of it synchronise%s unseen",
                 code->functions, code->functions == 1 ? "" : "s", code->functions == 1 ? "s" : "");
    else
        snprintf(entry->why, sizeof entry->why,
                 "not compiled by `heddle cc`: its memory accesses are not seen");
}

static void add_to_verdict(struct unseen_parts *unseen, const char *path,
                           const struct unseen_code *code, uint32_t number) {
    size_t used = strlen(unseen->code), room = sizeof unseen->code - used;
    char place[200];
    if (number < NAMED_MAX)
        snprintf(unseen->code + used, room, "%s%.40s%s", number > 0 ? ", " : "", base_name(path),
                 place_text(code, place));
}

/* --- all of them --- */

void unseen_find(struct result *result) {
    struct unseen_parts *unseen = &result->unseen;
    struct names taken = {0};
    uint32_t number = 0;
    unseen->code[0] = '\0';
    if (unseen->accesses || !result->observed.threads || result->observed.machines)
        return;
    struct looked *looked = calloc(result->modules.count + 1, sizeof *looked);
    CHECK(looked);
    for (uint32_t i = 0; i < result->modules.count; i++) {
        const char *path = result->modules.list[i].path;
        looked[i].read = !is_known(path) && unseen_code_find(&looked[i].code, path);
        if (looked[i].read && looked[i].code.instrumented)
            dynamic_names(&taken, path, true);
    }
    if (taken.count > 0)
        qsort(taken.list, taken.count, sizeof *taken.list, compare_names);
    for (uint32_t i = 0; i < result->modules.count; i++) {
        const char *path = result->modules.list[i].path;
        const struct unseen_code *code = &looked[i].code;
        struct names given = {0};
        if (looked[i].read && !code->instrumented && code->functions == 0)
            dynamic_names(&given, path, false);
        bool opened = result->modules.list[i].opened && !code->instrumented;
        if (looked[i].read && (code->functions > 0 || opened || have_common_name(&taken, &given))) {
            add_to_ledger(&result->ledger, path, code);
            add_to_verdict(unseen, path, code, number++);
        }
        forget_names(&given);
    }
    if (number > NAMED_MAX) {
        size_t used = strlen(unseen->code);
        snprintf(unseen->code + used, sizeof unseen->code - used, " and %u more",
                 number - NAMED_MAX);
    }
    forget_names(&taken);
    free(looked);
}
