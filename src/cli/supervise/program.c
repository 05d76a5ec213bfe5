/* program.c - see program.h. The ELF file is read with libelf; no part of it is executed here.
 *
 * The build-id identifies a build. A file without one is identified by its content. */
#define _GNU_SOURCE
#include "cli/supervise/program.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/base/say.h"

#if defined(__x86_64__)
enum { OWN_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OWN_MACHINE = EM_AARCH64 };
#else
#error "which machine is this?"
#endif

/* --- finding it --- */

/* Finds the first executable file of that name in PATH. */
static bool search_path(const char *name, char *found) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; *at;) {
        size_t length = strcspn(at, ":");
        struct stat status;
        snprintf(found, PATH_MAX, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
        if (access(found, X_OK) == 0 && stat(found, &status) == 0 && S_ISREG(status.st_mode))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static int check_file(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return say_error(EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return say_error(EXIT_USAGE, "%s: is a directory, not a program", path);
    if (!S_ISREG(status.st_mode))
        return say_error(EXIT_USAGE, "%s: not a regular file", path);
    if (access(path, X_OK) != 0)
        return say_error(EXIT_USAGE, "%s: not executable", path);
    if (((status.st_mode & S_ISUID) && status.st_uid != getuid()) ||
        ((status.st_mode & S_ISGID) && status.st_gid != getgid()))
        return say_error(EXIT_UNSUPPORTED,
                         "%s: runs as another user or group (setuid, setgid): the kernel keeps the "
                         "runtime out of it",
                         path);
    return 0;
}

static int find(const char *name, char *path) {
    char found[PATH_MAX];
    if (strlen(name) >= sizeof found / 2)
        return say_error(EXIT_USAGE, "the name of the program is too long");
    if (strchr(name, '/') != NULL)
        strcpy(found, name);
    else if (!search_path(name, found))
        return access(name, F_OK) == 0
                   ? say_error(EXIT_USAGE, "%s: not found in PATH; did you mean './%s'?", name,
                               name)
                   : say_error(EXIT_USAGE, "%s: no such program", name);
    int code = check_file(found);
    if (code == 0 && realpath(found, path) == NULL)
        code = say_error(EXIT_USAGE, "%s: %s", found, strerror(errno));
    return code;
}

/* --- looking at it --- */

static bool has_segment(Elf *elf, uint32_t type) {
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == type)
            return true;
    return false;
}

static bool needs_runtime(Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    static const char RUNTIME[] = "libheddle.so";
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL; i++) {
        if (entry.d_tag != DT_NEEDED)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        if (name != NULL && strncmp(name, RUNTIME, strlen(RUNTIME)) == 0)
            return true;
    }
    return false;
}

static bool is_linked(Elf *elf) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_DYNAMIC)
            return needs_runtime(elf, section, &header);
    }
    return false;
}

static void identify(Elf *elf, char *text) {
    const void *id = NULL;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &id);
    if (size > 0 && size < BUILD_ID_SIZE / 2) {
        for (ssize_t i = 0; i < size; i++)
            sprintf(text + 2 * i, "%02x", ((const unsigned char *)id)[i]);
        return;
    }
    size_t length = 0;
    const char *bytes = elf_rawfile(elf, &length);
    snprintf(text, BUILD_ID_SIZE, "xxh64-%016llx",
             (unsigned long long)(bytes ? XXH64(bytes, length, 0) : 0));
}

static int examine(struct program *program, Elf *elf) {
    GElf_Ehdr header;
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL)
        return say_error(EXIT_USAGE, "%s: not an ELF program", program->path);
    if (header.e_machine != OWN_MACHINE || header.e_ident[EI_CLASS] != ELFCLASS64)
        return say_error(EXIT_USAGE, "%s: made for another architecture (ELF machine %d, %d bits)",
                         program->path, header.e_machine,
                         header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return say_error(EXIT_USAGE, "%s: an object file or a core, not a program", program->path);
    if (!has_segment(elf, PT_INTERP))
        return say_error(EXIT_UNSUPPORTED,
                         "%s: statically linked (or a library): Heddle runs dynamic programs only",
                         program->path);
    program->linked = is_linked(elf);
    identify(elf, program->build_id);
    return 0;
}

int program_open(struct program *program, const char *name) {
    memset(program, 0, sizeof *program);
    int code = find(name, program->path);
    if (code != 0)
        return code;
    int fd = open(program->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return say_error(EXIT_USAGE, "%s: %s", program->path, strerror(errno));
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    code = examine(program, elf);
    elf_end(elf);
    close(fd);
    return code;
}
