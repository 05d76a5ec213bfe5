/* libraries.c - libraries that the program opens while it runs, by dlopen().
 *
 * A library that is loaded within an execution is no part of the memory that executions go back
 * to, and may be at another address in the next execution. So a search that comes to such a
 * library begins again with --libraries: the library is loaded before main, and is then like a
 * library that the program was linked to. The program's dlopen() finds it already loaded. Its
 * constructors have run by then, and dlclose() does not run its destructors, which the ledger
 * says.
 *
 * A replay or a simulation does not begin again. Without the option, the library is loaded
 * within the execution, which the ledger says, too. */
#define _GNU_SOURCE
#include "substrates/native/program/libraries.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "engine/session.h"
#include "substrates/native/calls/calls.h"
#include "substrates/native/interpose.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/begin_again.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/outcome.h"

enum { PATH_TEXT = LIBRARY_TEXT, SEARCH_TEXT = 16 << 10, LOADED_MAX = 64 };

/* The current folder when main began; empty if its name is too long. */
static char folder[PATH_TEXT];
static void *loaded[LOADED_MAX];
static uint32_t loaded_count;
static uint32_t modules_before; /* the number of modules before those of the list were loaded */
static bool storage_apart;      /* some modules of the list have thread-local storage */

static void current_folder(char *text) {
    if (native_syscall(SYS_getcwd, text, PATH_TEXT) <= 0)
        text[0] = '\0';
}

/* --- the list --- */

/* Reads the next entry of *list and moves *list behind it. Returns false if there is none. */
static bool next_entry(const char **list, char *path, int *flags) {
    size_t length = strcspn(*list, ":");
    if (**list == '\0')
        return false;
    size_t kept = length < PATH_TEXT ? length : PATH_TEXT - 1;
    memcpy(path, *list, kept);
    path[kept] = '\0';
    *list += length + ((*list)[length] == ':');
    char *at = strrchr(path, '@');
    *flags = at != NULL ? (int)strtol(at + 1, NULL, 10) : RTLD_LAZY;
    if (at != NULL)
        *at = '\0';
    return true;
}

static bool is_listed(const char *wanted) {
    const char *list = rt.session->request.options.libraries;
    char path[PATH_TEXT];
    int flags;
    while (next_entry(&list, path, &flags))
        if (strcmp(path, wanted) == 0)
            return true;
    return false;
}

/* --- loading --- */

static int count_module(struct dl_phdr_info *info, size_t size, void *count) {
    (void)info, (void)size;
    ++*(uint32_t *)count;
    return 0;
}

struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *index);

/* Gives the first thread its thread-local storage from the start, as part of the memory that
 * executions go back to. The C library would make the storage at its first use, and keep it. */
static int make_storage(struct dl_phdr_info *info, size_t size, void *number) {
    struct tls_index index = {info->dlpi_tls_modid, 0};
    (void)size;
    if ((*(uint32_t *)number)++ >= modules_before && index.module != 0) {
        __tls_get_addr(&index);
        storage_apart = true;
    }
    return 0;
}

/* A library that cannot be loaded now cannot be loaded later either. The program will see the
 * error then. */
void libraries_load(void) {
    const char *list = rt.session->request.options.libraries;
    char path[PATH_TEXT];
    uint32_t number = 0;
    int flags;
    current_folder(folder);
    if (*list == '\0')
        return;
    dl_iterate_phdr(count_module, &modules_before);
    while (loaded_count < LOADED_MAX && next_entry(&list, path, &flags)) {
        void *library = libc.dlopen(path, flags);
        if (library != NULL)
            loaded[loaded_count++] = library;
    }
    dl_iterate_phdr(make_storage, &number);
}

bool libraries_storage_apart(const struct dl_phdr_info *info, uint32_t number) {
    enum {
        SURPLUS = 64 << 10
    }; /* more than the C library reserves for libraries that are loaded late */
    return loaded_count > 0 && number >= modules_before &&
           read_fs() - (uint64_t)info->dlpi_tls_data > SURPLUS;
}

bool libraries_storage_apart_at_all(void) {
    return storage_apart;
}

/* The second word of a control block is the address of the vector. The element before the vector
 * has the number of elements. */
void libraries_move_vector(uint64_t control_block, uint64_t page) {
    struct element {
        uint64_t value, block;
    } **vector = &((struct element **)control_block)[1];
    uint64_t size = ((*vector)[-1].value + 2) * sizeof **vector;
    if (size > PAGE)
        unsupported("dlopen", 0, "too many libraries with thread-local storage");
    memcpy((void *)page, *vector - 1, size);
    *vector = (struct element *)page + 1;
}

bool libraries_has(const struct dl_phdr_info *info) {
    for (uint32_t i = 0; i < loaded_count; i++)
        if (((const struct link_map *)loaded[i])->l_addr == info->dlpi_addr)
            return true;
    return false;
}

static bool was_loaded_before_main(const void *library) {
    for (uint32_t i = 0; i < loaded_count; i++)
        if (loaded[i] == library)
            return true;
    return false;
}

/* --- which file is meant --- */

static bool is_file(const char *path) {
    return native_syscall(SYS_access, path, R_OK) == 0;
}

/* The C library searches the folders of the caller, and would take our library for the caller.
 * So we search the folders of the real caller here, in the order of the C library. A library
 * that is in none of them is left to the C library's cache. */
static bool find_for_caller(const char *name, uint64_t caller, char *path) {
    char room[SEARCH_TEXT];
    Dl_serinfo *places = (Dl_serinfo *)room;
    struct link_map *map = NULL;
    Dl_info info;
    if (dladdr1((void *)caller, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL ||
        dlinfo(map, RTLD_DI_SERINFOSIZE, places) != 0 || places->dls_size > sizeof room ||
        dlinfo(map, RTLD_DI_SERINFO, places) != 0)
        return false;
    for (unsigned i = 0; i < places->dls_cnt; i++) {
        const Dl_serpath *place = &places->dls_serpath[i];
        int length = snprintf(path, PATH_TEXT, "%s/%s", place->dls_name, name);
        if (length < PATH_TEXT && is_file(path))
            return true;
    }
    return false;
}

/* A name under which the same file would be found before main. */
static const char *name_before_main(const char *name, uint64_t caller, char *path) {
    if (strchr(name, '/') == NULL)
        return find_for_caller(name, caller, path) ? path : name;
    if (name[0] == '/')
        return name;
    current_folder(path);
    if (strcmp(path, folder) == 0 || strlen(path) + 1 + strlen(name) >= PATH_TEXT)
        return name;
    strcat(path, "/");
    return strcat(path, name);
}

/* --- dlopen --- */

static bool searches(void) {
    const struct options *options = &rt.session->request.options;
    return options->mode == MODE_EXPLORE || options->mode == MODE_CORPUS;
}

/* Begins the search again with the library, if there is such a file and the list has room for
 * it. */
static void want_before_main(const char *name, int flags) {
    struct session *session = rt.session;
    size_t used = strlen(session->request.options.libraries);
    if (!searches() || is_listed(name) || strpbrk(name, ":@") != NULL ||
        (strchr(name, '/') != NULL && !is_file(name)))
        return;
    int length = snprintf(session->result.search.library, sizeof session->result.search.library,
                          "%s@%d", name, flags);
    if (length < LIBRARY_TEXT && used + (size_t)length + 1 < LIBRARIES_TEXT)
        begin_search_again(LACKS_LIBRARY);
}

static void *open_library(const char *name, int flags, uint64_t pc) {
    char path[PATH_TEXT];
    const char *there = name_before_main(name, pc, path);
    void *library = libc.dlopen(there, flags | RTLD_NOLOAD);
    if (was_loaded_before_main(library))
        noted("dlopen", "the library was loaded before main, with its constructors", pc);
    if (library != NULL || (flags & RTLD_NOLOAD))
        return library;
    want_before_main(there, flags);
    library = libc.dlopen(there, flags);
    if (library != NULL)
        uncontrolled("dlopen",
                     "the data of a library opened late is not put back between executions", pc);
    return library;
}

EXPORT void *dlopen(const char *name, int flags) {
    if (rt.current == NULL || name == NULL || name[0] == '\0')
        return libc.dlopen(name, flags);
    return open_library(name, flags, CALLER);
}

EXPORT void *dlmopen(Lmid_t space, const char *name, int flags) {
    if (rt.current == NULL)
        return libc.dlmopen(space, name, flags);
    if (space == LM_ID_BASE && name != NULL && name[0] != '\0')
        return open_library(name, flags, CALLER);
    unsupported("dlmopen", CALLER,
                "a name space of its own has its own C library, which is not controlled");
}
