/* symbols.c - see symbols.h.
 *
 * A recorded address is that of the instruction after a call. So the byte before it is looked up,
 * because the next instruction may belong to another line, or to another function. Separate debug
 * files are found by build-id and debug link. Nothing is ever downloaded. */
#define _GNU_SOURCE
#include "cli/names/symbols.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/names/intervals.h"
#include "cli/names/scopes.h"
#include "cli/names/variables.h"

struct symbols {
    Dwfl *dwfl; /* NULL until the first name is needed */
    struct module *modules;
    uint32_t module_count;
    struct scopes *scopes;
    void *paths; /* a search tree of file names made here, each once */
};

static char *debuginfo_path;
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .debuginfo_path = &debuginfo_path,
};

struct symbols *symbols_create(const struct module *modules, uint32_t count) {
    struct symbols *symbols = calloc(1, sizeof *symbols);
    CHECK(symbols);
    symbols->modules = calloc(count + 1, sizeof *modules);
    CHECK(symbols->modules);
    memcpy(symbols->modules, modules, count * sizeof *modules);
    symbols->module_count = count;
    symbols->scopes = scopes_create();
    return symbols;
}

static void open_modules(struct symbols *symbols) {
    unsetenv("DEBUGINFOD_URLS");
    symbols->dwfl = dwfl_begin(&callbacks);
    CHECK(symbols->dwfl);
    dwfl_report_begin(symbols->dwfl);
    for (uint32_t i = 0; i < symbols->module_count; i++) {
        const struct module *module = &symbols->modules[i];
        /* a file that cannot be read has no names */
        dwfl_report_elf(symbols->dwfl, module->path, module->path, -1, module->base, true);
    }
    dwfl_report_end(symbols->dwfl, NULL, NULL);
}

static Dwfl_Module *module_at(struct symbols *symbols, Dwarf_Addr address) {
    if (symbols->dwfl == NULL)
        open_modules(symbols);
    return dwfl_addrmodule(symbols->dwfl, address);
}

/* The facts about a module, which are kept after the first query. */
struct known_module {
    struct variables *variables; /* NULL until they are needed */
    Dwarf_Die *units;            /* borrowed from libdw, in an array */
    struct intervals code;       /* the code of the units, by the numbers of the units */
    uint32_t unit_count;
    bool units_known;
};

static struct known_module *know_module(Dwfl_Module *module) {
    void **userdata = NULL;
    dwfl_module_info(module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
    if (*userdata == NULL)
        *userdata = calloc(1, sizeof(struct known_module));
    CHECK(*userdata);
    return *userdata;
}

static int destroy_module(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr start,
                          void *context) {
    (void)module, (void)name, (void)start, (void)context;
    struct known_module *known = *userdata;
    if (known != NULL) {
        variables_destroy(known->variables);
        intervals_destroy(&known->code);
        free(known->units);
        free(known);
    }
    return DWARF_CB_OK;
}

void symbols_destroy(struct symbols *symbols) {
    if (symbols == NULL)
        return;
    if (symbols->dwfl != NULL) {
        dwfl_getmodules(symbols->dwfl, destroy_module, NULL, 0);
        dwfl_end(symbols->dwfl);
    }
    scopes_destroy(symbols->scopes);
    free(symbols->modules);
    tdestroy(symbols->paths, free);
    free(symbols);
}

/* --- code --- */

static void name_module(Dwfl_Module *module, uint64_t address, struct symbols_frame *frame) {
    Dwarf_Addr start = 0;
    const char *path = NULL;
    if (module != NULL)
        path = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    if (path == NULL) {
        snprintf(frame->module, sizeof frame->module, "0x%llx", (unsigned long long)address);
        return;
    }
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    snprintf(frame->module, sizeof frame->module, "%.200s+0x%llx", base,
             (unsigned long long)(address - start));
    frame->system = strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0;
    frame->runtime = strncmp(base, "libheddle.so", strlen("libheddle.so")) == 0;
}

/* Reads the place in two attributes of a function. dwarf_decl_file does not know file 0, which
 * clang uses. */
static void place_named(Dwarf_Die *cu, Dwarf_Die *function, unsigned int file_name,
                        unsigned int line_name, const char **file, uint32_t *line) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Files *files;
    size_t count;
    *file = "";
    *line = 0;
    if (dwarf_formudata(dwarf_attr_integrate(function, file_name, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(cu, &files, &count) == 0 && number < count)
        *file = dwarf_filesrc(files, number, NULL, NULL);
    if (dwarf_formudata(dwarf_attr_integrate(function, line_name, &attribute), &number) == 0)
        *line = (uint32_t)number;
    if (*file == NULL)
        *file = "";
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Makes the path of a file absolute if it was relative to the compiler's working directory, so that
 * it can be found from everywhere. */
static const char *full_path(struct symbols *symbols, Dwarf_Die *cu, const char *file) {
    Dwarf_Attribute attribute;
    const char *directory =
        cu != NULL ? dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attribute)) : NULL;
    char *path = NULL;
    if (file[0] == '/' || file[0] == '\0' || directory == NULL || directory[0] != '/')
        return file;
    CHECK(asprintf(&path, "%s/%s", directory, file) >= 0);
    char **known = tsearch(path, &symbols->paths, compare_paths);
    CHECK(known);
    if (*known != path)
        free(path);
    return *known;
}

static void know_units(struct known_module *known, Dwfl_Module *module) {
    Dwarf_Addr bias, base, low, end;
    known->units_known = true;
    for (Dwarf_Die *cu = NULL; (cu = dwfl_module_nextcu(module, cu, &bias)) != NULL;) {
        ptrdiff_t at = 0;
        while ((at = dwarf_ranges(cu, at, &base, &low, &end)) > 0)
            intervals_add(&known->code, low + bias, end + bias, known->unit_count);
        known->units = realloc(known->units, (known->unit_count + 1) * sizeof *known->units);
        CHECK(known->units);
        known->units[known->unit_count++] = *cu;
    }
    intervals_sort(&known->code);
}

/* clang writes no table of addresses (.debug_aranges), so the code ranges of its units are read
 * once. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias) {
    uint32_t unit;
    Dwarf_Die *cu = dwfl_module_addrdie(module, address, bias);
    if (cu != NULL)
        return cu;
    struct known_module *known = know_module(module);
    if (!known->units_known)
        know_units(known, module);
    if (intervals_at(&known->code, address, &unit, 1) == 0)
        return NULL;
    dwfl_module_getdwarf(module, bias);
    return &known->units[unit];
}

/* The demangler is in the C++ library. Without that library, names stay as they are. */
static void copy_demangled(const char *name, char *to, size_t size) {
    typedef char *demangle_function(const char *, char *, size_t *, int *);
    static demangle_function *demangle;
    if (strncmp(name, "_Z", 2) == 0 && demangle == NULL) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        demangle = library ? (demangle_function *)dlsym(library, "__cxa_demangle") : NULL;
    }
    int status = -1;
    char *readable = NULL;
    if (strncmp(name, "_Z", 2) == 0 && demangle != NULL)
        readable = demangle(name, NULL, NULL, &status);
    snprintf(to, size, "%s", readable ? readable : name);
    free(readable);
}

/* Returns the end of the parameters at `at`: the next scope of the name, or the end of the name. */
static const char *after_parameters(const char *at) {
    int depth = 0;
    for (; *at != '\0' && (depth > 0 || strncmp(at, "::", 2) != 0); at++)
        depth += (strchr("(<{[", *at) != NULL) - (strchr(")>}]", *at) != NULL);
    return at;
}

/* For a reader a lambda is a function, not a class with an operator. */
static void name_lambda(char *name) {
    static const char CALL[] = "::operator()", DEDUCED[] = "auto ";
    char *call;
    while ((call = strstr(name, CALL)) != NULL) {
        const char *rest = after_parameters(call + strlen(CALL));
        memmove(call, rest, strlen(rest) + 1);
    }
    if (strncmp(name, DEDUCED, strlen(DEDUCED)) == 0)
        memmove(name, name + strlen(DEDUCED), strlen(name + strlen(DEDUCED)) + 1);
}

/* The code of a lambda has a name only for the linker: "main::{lambda()#1}::operator()() const". If
 * it was inlined, even that may be missing. */
static void name_function(struct symbols *symbols, Dwfl_Module *module, uint64_t address,
                          Dwarf_Die *function, char *name, size_t size) {
    Dwarf_Attribute attribute;
    if (scopes_name(symbols->scopes, function, name, size))
        return;
    const char *symbol =
        dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    if (symbol == NULL && dwarf_tag(function) == DW_TAG_subprogram)
        symbol = dwfl_module_addrname(module, address);
    if (symbol != NULL)
        copy_demangled(symbol, name, size);
    name_lambda(name);
}

static uint32_t frames_by_dwarf(struct symbols *symbols, Dwfl_Module *module, uint64_t address,
                                struct symbols_frame *frames) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *cu = unit_at(module, address, &bias), *scopes = NULL;
    Dwarf_Line *line = cu ? dwarf_getsrc_die(cu, address - bias) : NULL;
    int number = 0, scope_count = cu ? scopes_at(symbols->scopes, cu, address - bias, &scopes) : 0;
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (line != NULL)
        dwarf_lineno(line, &number);
    uint32_t at = (uint32_t)number, count = 0;
    file = file ? file : "";
    for (int i = 0; i < scope_count && count < SYMBOLS_INLINED_MAX; i++) {
        if (!scopes_function(&scopes[i]))
            continue;
        struct symbols_frame *frame = &frames[count++];
        name_function(symbols, module, address, &scopes[i], frame->function,
                      sizeof frame->function);
        /* Code that was merged from several lines has no line: use the beginning of its
         * function. */
        if (at == 0)
            place_named(cu, &scopes[i], DW_AT_decl_file, DW_AT_decl_line, &file, &at);
        frame->file = full_path(symbols, cu, file);
        frame->line = at;
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            break;
        place_named(cu, &scopes[i], DW_AT_call_file, DW_AT_call_line, &file, &at);
    }
    free(scopes);
    return count;
}

static uint32_t frame_by_symbol(Dwfl_Module *module, uint64_t address,
                                struct symbols_frame *frame) {
    const char *name = module ? dwfl_module_addrname(module, address) : NULL;
    copy_demangled(name ? name : "", frame->function, sizeof frame->function);
    frame->file = "";
    return 1;
}

uint32_t symbols_frames(struct symbols *symbols, uint64_t return_address,
                        struct symbols_frame frames[SYMBOLS_INLINED_MAX]) {
    uint64_t address = return_address - 1;
    Dwfl_Module *module = module_at(symbols, address);
    memset(frames, 0, SYMBOLS_INLINED_MAX * sizeof *frames);
    uint32_t count = module ? frames_by_dwarf(symbols, module, address, frames) : 0;
    if (count == 0)
        count = frame_by_symbol(module, address, frames);
    for (uint32_t i = 0; i < count; i++)
        name_module(module, address, &frames[i]);
    return count;
}

int symbols_scopes(struct symbols *symbols, uint64_t return_address, uint32_t frame,
                   Dwarf_Die **scopes) {
    Dwarf_Addr bias = 0;
    Dwfl_Module *module = module_at(symbols, return_address - 1);
    Dwarf_Die *cu = module ? unit_at(module, return_address - 1, &bias) : NULL;
    *scopes = NULL;
    int count = cu ? scopes_at(symbols->scopes, cu, return_address - 1 - bias, scopes) : 0;
    for (int i = 0; i < count; i++)
        if (scopes_function(&(*scopes)[i]) && frame-- == 0) {
            memmove(*scopes, *scopes + i, (size_t)(count - i) * sizeof **scopes);
            return count - i;
        }
    return 0;
}

bool symbols_own_function(struct symbols *symbols, uint64_t address, char *name, size_t size) {
    struct symbols_frame frames[SYMBOLS_INLINED_MAX];
    if (address == 0)
        return false;
    uint32_t count = symbols_frames(symbols, address + 1, frames);
    snprintf(name, size, "%s", frames[count - 1].function);
    return name[0] != '\0' && !frames[count - 1].system;
}

/* --- data --- */

static const struct variables *variables_of(Dwfl_Module *module, Dwarf_Addr *bias) {
    struct known_module *known = know_module(module);
    Dwarf *dwarf = dwfl_module_getdwarf(module, bias);
    if (known->variables == NULL)
        known->variables = variables_create(dwarf);
    return known->variables;
}

bool symbols_variable(struct symbols *symbols, uint64_t address, char *name, size_t size) {
    Dwfl_Module *module = module_at(symbols, address);
    Dwarf_Addr bias = 0;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    if (module == NULL)
        return false;
    const struct variables *variables = variables_of(module, &bias);
    if (variables_name(variables, address - bias, name, size))
        return true;
    const char *found = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (found == NULL)
        return false;
    copy_demangled(found, name, size);
    size_t used = strlen(name);
    if (offset != 0)
        snprintf(name + used, size - used, "+%llu", (unsigned long long)offset);
    return true;
}
